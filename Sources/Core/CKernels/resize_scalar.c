#include <string.h>

#include "resize_variants.h"

#pragma STDC FP_CONTRACT OFF

// Vectors of this compiler extension exist for every target, regardless of its registers. Compilers do not produce good
// code for loops over single values.

// Two pixels, and their components interleaved as in a packed row.
typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef uint16_t packed8 __attribute__((vector_size(16)));

// Eight values: the 4 components of two interleaved samples.
typedef int16_t values8 __attribute__((vector_size(16)));
typedef int32_t products8 __attribute__((vector_size(32)));
// Sums wrap around like those of the SIMD variants. They are unsigned because signed overflow would be undefined.
typedef uint32_t sums8 __attribute__((vector_size(32)));

// The 4 components of a pixel.
typedef int32_t pixel4 __attribute__((vector_size(16)));
typedef uint32_t sums4 __attribute__((vector_size(16)));
typedef float float4 __attribute__((vector_size(16)));
typedef uint8_t bytes4 __attribute__((vector_size(4)));

enum {
    // The number of output pixels of the vertical pass whose sums stay in registers over all row pairs.
    STRIP = 4,
};

// Packs two pixels: 8 bytes to 8 interleaved values.
static inline void pack_two(const uint8_t *source, bool opaque, int16_t *packed) {
    bytes8 bytes;
    memcpy(&bytes, source, sizeof bytes);
    packed8 value = __builtin_convertvector(__builtin_shufflevector(bytes, bytes, 0, 4, 1, 5, 2, 6, 3, 7), packed8);
    if (opaque) {
        value <<= 6;
    } else {
        packed8 alpha =
            __builtin_convertvector(__builtin_shufflevector(bytes, bytes, 3, 7, 3, 7, 3, 7, 3, 7), packed8);
        alpha[6] = 255;
        alpha[7] = 255;
        value *= alpha;
        // round(64 / 255 * value) is (value + value / 255 + 2) / 4. This is exact: there are no ties, since 255 is odd,
        // and the sums that replace the division by 255 are exact up to 65534.
        packed8 quotient = (value + (value >> 8) + 1) >> 8;
        value = (value + quotient + 2) >> 2;
    }
    memcpy(packed, &value, sizeof value);
}

static inline void pack_row(const uint8_t *row, size_t width, bool opaque, int16_t *packed) {
    size_t pixel = 0;
    for (; pixel + 2 <= width; pixel += 2) {
        pack_two(row + 4 * pixel, opaque, packed + 4 * pixel);
    }
    if (pixel < width) {
        uint8_t last[8] = {0};
        memcpy(last, row + 4 * pixel, 4);
        pack_two(last, opaque, packed + 4 * pixel);
        pixel += 2;
    }
    memset(packed + 4 * pixel, 0, (ck_resize_packed_pixels(width) - pixel) * 4 * sizeof *packed);
}

static void pack_any_row(const uint8_t *row, size_t width, bool opaque, int16_t *packed) {
    if (row == NULL) {
        memset(packed, 0, ck_resize_packed_pixels(width) * 4 * sizeof *packed);
    } else if (opaque) {
        pack_row(row, width, true, packed);
    } else {
        pack_row(row, width, false, packed);
    }
}

void ck_resize_pack8_scalar(const uint8_t *row0, const uint8_t *row1, size_t width, bool opaque, int16_t *packed0,
                            int16_t *packed1) {
    pack_any_row(row0, width, opaque, packed0);
    pack_any_row(row1, width, opaque, packed1);
}

// Adds 8 values times the coefficients of the two samples. The samples are added only at the end.
static inline void accumulate(sums8 *sums, const int16_t *values, const int16_t *coefficients) {
    int32_t both;
    memcpy(&both, coefficients, sizeof both);
    values8 factors = (values8)(pixel4){both, both, both, both};
    values8 samples;
    memcpy(&samples, values, sizeof samples);
    *sums += (sums8)(__builtin_convertvector(samples, products8) * __builtin_convertvector(factors, products8));
}

static inline int16_t saturate16(int32_t value) {
    return (int16_t)(value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value);
}

void ck_resize_horizontal8_scalar(const int16_t *packed0, const int16_t *packed1, const ck_window8 *windows,
                                  const int16_t *coefficients, int32_t precision, size_t count, int16_t *output) {
    uint32_t half = (uint32_t)1 << (precision - 1);
    for (size_t pixel = 0; pixel < count; pixel++, output += 8) {
        ck_window8 window = windows[pixel];
        const int16_t *values0 = packed0 + 4 * (size_t)window.start;
        const int16_t *values1 = packed1 + 4 * (size_t)window.start;
        const int16_t *weights = coefficients + window.offset;
        sums8 sums0 = {0};
        sums8 sums1 = {0};
        for (int32_t group = 0; group < window.groups; group++, values0 += 16, values1 += 16, weights += 4) {
            accumulate(&sums0, values0, weights);
            accumulate(&sums1, values1, weights);
            accumulate(&sums0, values0 + 8, weights + 2);
            accumulate(&sums1, values1 + 8, weights + 2);
        }
        for (int component = 0; component < 4; component++) {
            uint32_t sum0 = sums0[2 * component] + sums0[2 * component + 1] + half;
            uint32_t sum1 = sums1[2 * component] + sums1[2 * component + 1] + half;
            output[2 * component] = saturate16((int32_t)sum0 >> precision);
            output[2 * component + 1] = saturate16((int32_t)sum1 >> precision);
        }
    }
}

static inline pixel4 select4(pixel4 mask, pixel4 chosen, pixel4 other) {
    return (chosen & mask) | (other & ~mask);
}

static inline pixel4 splat4(int32_t value) {
    return (pixel4){value, value, value, value};
}

// Returns the straight components of a pixel, to be clamped. Negative color stays negative and so becomes 0. An alpha
// that the filter raises beyond full has scaled color too. Division by the unclamped alpha keeps flat color flat next
// to transparency.
static inline pixel4 straighten(pixel4 value) {
    int32_t alpha = value[3];
    if (alpha < 32) {
        return splat4(0);
    }
    float divisor = (float)alpha;
    float4 divisors = {divisor, divisor, divisor, divisor};
    float4 color = __builtin_convertvector(value, float4) * 255.0f / divisors + 0.5f;
    pixel4 pixel = __builtin_convertvector(color, pixel4);
    pixel[3] = (alpha + 32) >> 6;
    return pixel;
}

static inline void store_clamped(pixel4 pixel, uint8_t *output) {
    pixel &= pixel > 0;
    bytes4 bytes = __builtin_convertvector(select4(pixel < 255, pixel, splat4(255)), bytes4);
    memcpy(output, &bytes, sizeof bytes);
}

static inline void vertical_strip(const int16_t *const *rows, const int16_t *coefficients, size_t pairs,
                                  int32_t precision, size_t first, int pixels, bool opaque, uint8_t *output) {
    sums8 sums[STRIP] = {{0}};
    for (size_t pair = 0; pair < pairs; pair++) {
        for (int pixel = 0; pixel < pixels; pixel++) {
            accumulate(sums + pixel, rows[pair] + 8 * (first + (size_t)pixel), coefficients + 2 * pair);
        }
    }
    uint32_t half = (uint32_t)1 << (precision - 1);
    int32_t shift = precision;
    if (opaque) {
        // Combines both roundings: shifts round down, so two consecutive ones equal one by the sum of their distances.
        half += (uint32_t)32 << precision;
        shift += 6;
    }
    for (int pixel = 0; pixel < pixels; pixel++) {
        sums8 both = sums[pixel];
        sums4 sum = {both[0] + both[1], both[2] + both[3], both[4] + both[5], both[6] + both[7]};
        pixel4 value = (pixel4)(sum + half) >> shift;
        if (opaque) {
            value[3] = 255;
        } else {
            value = straighten(value);
        }
        store_clamped(value, output + 4 * (first + (size_t)pixel));
    }
}

static inline void vertical_row(const int16_t *const *rows, const int16_t *coefficients, size_t pairs,
                                int32_t precision, size_t width, bool opaque, uint8_t *output) {
    size_t pixel = 0;
    for (; pixel + STRIP <= width; pixel += STRIP) {
        vertical_strip(rows, coefficients, pairs, precision, pixel, STRIP, opaque, output);
    }
    for (; pixel < width; pixel++) {
        vertical_strip(rows, coefficients, pairs, precision, pixel, 1, opaque, output);
    }
}

void ck_resize_vertical8_scalar(const int16_t *const *rows, const int16_t *coefficients, size_t pairs,
                                int32_t precision, size_t width, bool opaque, uint8_t *output) {
    if (opaque) {
        vertical_row(rows, coefficients, pairs, precision, width, true, output);
    } else {
        vertical_row(rows, coefficients, pairs, precision, width, false, output);
    }
}
