#include <string.h>

#include "linear_variants.h"

#pragma STDC FP_CONTRACT OFF

// As in the scalar variants of resize.h, vectors of this compiler extension exist for every target.
typedef int16_t values8 __attribute__((vector_size(16)));
typedef int32_t products8 __attribute__((vector_size(32)));
// Sums wrap around like those of the SIMD variants. They are unsigned because signed overflow would be undefined.
typedef uint32_t sums8 __attribute__((vector_size(32)));

enum {
    // Full intensity in units of 1/64.
    FULL = 255 * 64,
};

// Packs a pixel into a packed row, in which its components are two values apart.
static inline void pack_pixel(const uint8_t *source, bool opaque, const int16_t *table, int16_t *packed) {
    uint32_t alpha = source[3];
    for (int component = 0; component < 3; component++) {
        uint32_t value = (uint32_t)table[source[component]];
        // There are no ties, since 255 is odd.
        packed[2 * component] = (int16_t)(opaque ? value : (value * alpha + 127) / 255);
    }
    packed[6] = (int16_t)(alpha * 64);
}

static inline void pack_from(const uint8_t *row, size_t first, size_t width, bool opaque, const int16_t *table,
                             int16_t *packed) {
    size_t pixel = first;
    for (; pixel + 2 <= width; pixel += 2) {
        pack_pixel(row + 4 * pixel, opaque, table, packed + 4 * pixel);
        pack_pixel(row + 4 * pixel + 4, opaque, table, packed + 4 * pixel + 1);
    }
    memset(packed + 4 * pixel, 0, (ck_resize_packed_pixels(width) - pixel) * 4 * sizeof *packed);
    if (pixel < width) {
        pack_pixel(row + 4 * pixel, opaque, table, packed + 4 * pixel);
    }
}

void ck_linear_pack_from(const uint8_t *row, size_t first, size_t width, bool opaque, const int16_t *table,
                         int16_t *packed) {
    if (opaque) {
        pack_from(row, first, width, true, table, packed);
    } else {
        pack_from(row, first, width, false, table, packed);
    }
}

void ck_resize_pack8_linear_scalar(const uint8_t *row0, const uint8_t *row1, size_t width, bool opaque,
                                   const int16_t *table, int16_t *packed0, int16_t *packed1) {
    ck_linear_pack_from(row0, 0, width, opaque, table, packed0);
    if (row1 == NULL) {
        memset(packed1, 0, ck_resize_packed_pixels(width) * 4 * sizeof *packed1);
    } else {
        ck_linear_pack_from(row1, 0, width, opaque, table, packed1);
    }
}

// Adds the products of two samples' components and the samples' coefficients, separately for each sample.
static inline void accumulate(sums8 *sums, const int16_t *values, const int16_t *coefficients) {
    int16_t first = coefficients[0], second = coefficients[1];
    values8 factors = {first, second, first, second, first, second, first, second};
    values8 samples;
    memcpy(&samples, values, sizeof samples);
    *sums += (sums8)(__builtin_convertvector(samples, products8) * __builtin_convertvector(factors, products8));
}

static inline int32_t clamp(int32_t value, int32_t high) {
    return value < 0 ? 0 : value > high ? high : value;
}

// Clamped before the conversion to an integer, whose range it may exceed.
static inline int32_t straighten(int32_t value, int32_t alpha) {
    float color = (float)value * (float)FULL / (float)alpha + 0.5f;
    return (int32_t)(color < 0.0f ? 0.0f : color > (float)FULL ? (float)FULL : color);
}

static inline void vertical_row(const int16_t *const *rows, const int16_t *coefficients, size_t pairs,
                                int32_t precision, size_t width, bool opaque, const uint8_t *table, uint8_t *output) {
    uint32_t half = (uint32_t)1 << (precision - 1);
    for (size_t pixel = 0; pixel < width; pixel++, output += 4) {
        sums8 sums = {0};
        for (size_t pair = 0; pair < pairs; pair++) {
            accumulate(&sums, rows[pair] + 8 * pixel, coefficients + 2 * pair);
        }
        int32_t value[4];
        for (int component = 0; component < 4; component++) {
            value[component] = (int32_t)(sums[2 * component] + sums[2 * component + 1] + half) >> precision;
        }
        int32_t alpha = value[3];
        if (!opaque && alpha < 32) {
            memset(output, 0, 4);
            continue;
        }
        for (int component = 0; component < 3; component++) {
            output[component] =
                table[opaque ? clamp(value[component], FULL) : straighten(value[component], alpha)];
        }
        output[3] = (uint8_t)(opaque ? 255 : clamp((alpha + 32) >> 6, 255));
    }
}

void ck_resize_vertical8_linear_scalar(const int16_t *const *rows, const int16_t *coefficients, size_t pairs,
                                       int32_t precision, size_t width, bool opaque, const uint8_t *table,
                                       uint8_t *output) {
    if (opaque) {
        vertical_row(rows, coefficients, pairs, precision, width, true, table, output);
    } else {
        vertical_row(rows, coefficients, pairs, precision, width, false, table, output);
    }
}
