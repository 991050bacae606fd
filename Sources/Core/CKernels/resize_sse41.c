#include "resize_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

#define TARGET __attribute__((target("sse4.1")))
// Forced, so that every call with a constant `opaque` becomes a separate loop.
#define INLINE TARGET __attribute__((always_inline)) static inline

// In bytes, as in the AVX2 variant.
enum { PREFETCH_DISTANCE = 8192 };

INLINE __m128i load(const void *values) {
    return _mm_loadu_si128((const __m128i *)values);
}

INLINE void store(void *target, __m128i values) {
    _mm_storeu_si128((__m128i *)target, values);
}

// Byte shuffles that widen two RGBA pixels, which begin at these bytes, to 16 bits and interleave them.
#define INTERLEAVE(p0, p1)                                                                                            \
    _mm_setr_epi8(p0, -1, p1, -1, p0 + 1, -1, p1 + 1, -1, p0 + 2, -1, p1 + 2, -1, p0 + 3, -1, p1 + 3, -1)
// The alphas at these bytes in the position of each color; the positions of alpha itself stay zero.
#define SPREAD_ALPHA(a0, a1) _mm_setr_epi8(a0, -1, a1, -1, a0, -1, a1, -1, a0, -1, a1, -1, -1, -1, -1, -1)

// Packs two interleaved pixels, whose alphas are spread.
INLINE __m128i finish_packing(__m128i value, __m128i alpha, bool opaque) {
    if (opaque) {
        return _mm_slli_epi16(value, 6);
    }
    alpha = _mm_or_si128(alpha, _mm_setr_epi32(0, 0, 0, 0x00FF00FF));
    // The rounding of the AVX2 variant.
    value = _mm_add_epi16(_mm_mullo_epi16(value, alpha), _mm_set1_epi16(1));
    __m128i quotient = _mm_mulhi_epu16(value, _mm_set1_epi16(257));
    return _mm_srli_epi16(_mm_avg_epu16(value, quotient), 1);
}

INLINE void pack_four(__m128i pixels, bool opaque, int16_t *packed) {
    __m128i first = _mm_shuffle_epi8(pixels, INTERLEAVE(0, 4));
    __m128i last = _mm_shuffle_epi8(pixels, INTERLEAVE(8, 12));
    __m128i first_alpha = _mm_shuffle_epi8(pixels, SPREAD_ALPHA(3, 7));
    __m128i last_alpha = _mm_shuffle_epi8(pixels, SPREAD_ALPHA(11, 15));
    store(packed, finish_packing(first, first_alpha, opaque));
    store(packed + 8, finish_packing(last, last_alpha, opaque));
}

INLINE void pack_row(const uint8_t *row, size_t width, bool opaque, int16_t *packed) {
    size_t pixel = 0;
    for (; pixel + 4 <= width; pixel += 4) {
        const uint8_t *source = row + 4 * pixel;
        if (pixel % 16 == 0) {
            _mm_prefetch((const char *)((uintptr_t)source + PREFETCH_DISTANCE), _MM_HINT_T0);
        }
        pack_four(load(source), opaque, packed + 4 * pixel);
    }
    if (pixel < width) {
        uint8_t rest[16] = {0};
        memcpy(rest, row + 4 * pixel, 4 * (width - pixel));
        pack_four(load(rest), opaque, packed + 4 * pixel);
        pixel += 4;
    }
    store(packed + 4 * pixel, _mm_setzero_si128());
    store(packed + 4 * pixel + 8, _mm_setzero_si128());
}

TARGET static void pack_any_row(const uint8_t *row, size_t width, bool opaque, int16_t *packed) {
    if (row == NULL) {
        memset(packed, 0, ck_resize_packed_pixels(width) * 4 * sizeof *packed);
    } else if (opaque) {
        pack_row(row, width, true, packed);
    } else {
        pack_row(row, width, false, packed);
    }
}

TARGET void ck_resize_pack8_sse41(const uint8_t *row0, const uint8_t *row1, size_t width, bool opaque,
                                  int16_t *packed0, int16_t *packed1) {
    pack_any_row(row0, width, opaque, packed0);
    pack_any_row(row1, width, opaque, packed1);
}

INLINE __m128i multiply(const int16_t *values, __m128i weights) {
    return _mm_madd_epi16(load(values), weights);
}

// The sums of four components. There are two for each row, so that an addition does not wait for the previous one.
typedef struct row_sums {
    __m128i row0[2];
    __m128i row1[2];
} row_sums;

// Adds the products of four taps, whose coefficients are in the low half.
INLINE row_sums add_four(row_sums sums, const int16_t *values0, const int16_t *values1, __m128i weights) {
    __m128i first = _mm_shuffle_epi32(weights, 0x00);
    __m128i last = _mm_shuffle_epi32(weights, 0x55);
    sums.row0[0] = _mm_add_epi32(sums.row0[0], multiply(values0, first));
    sums.row1[0] = _mm_add_epi32(sums.row1[0], multiply(values1, first));
    sums.row0[1] = _mm_add_epi32(sums.row0[1], multiply(values0 + 8, last));
    sums.row1[1] = _mm_add_epi32(sums.row1[1], multiply(values1 + 8, last));
    return sums;
}

TARGET void ck_resize_horizontal8_sse41(const int16_t *packed0, const int16_t *packed1, const ck_window8 *windows,
                                        const int16_t *coefficients, int32_t precision, size_t count,
                                        int16_t *output) {
    const __m128i half = _mm_set1_epi32(1 << (precision - 1));
    const __m128i shift = _mm_cvtsi32_si128(precision);
    const __m128i interleave = _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    for (size_t pixel = 0; pixel < count; pixel++) {
        const int16_t *values0 = packed0 + 4 * (size_t)windows[pixel].start;
        const int16_t *values1 = packed1 + 4 * (size_t)windows[pixel].start;
        const int16_t *weights = coefficients + windows[pixel].offset;
        row_sums sums = {{half, _mm_setzero_si128()}, {half, _mm_setzero_si128()}};
        for (int32_t group = 0; group < windows[pixel].groups; group++) {
            sums = add_four(sums, values0, values1, _mm_loadl_epi64((const __m128i *)weights));
            values0 += 16;
            values1 += 16;
            weights += 4;
        }
        __m128i row0 = _mm_sra_epi32(_mm_add_epi32(sums.row0[0], sums.row0[1]), shift);
        __m128i row1 = _mm_sra_epi32(_mm_add_epi32(sums.row1[0], sums.row1[1]), shift);
        store(output + 8 * pixel, _mm_shuffle_epi8(_mm_packs_epi32(row0, row1), interleave));
    }
}

INLINE __m128i round64(__m128i value) {
    return _mm_srai_epi32(_mm_add_epi32(value, _mm_set1_epi32(32)), 6);
}

// Returns the straight components of a pixel as int32. Where alpha rounds to 0, color is meaningless.
INLINE __m128i straighten(__m128i value) {
    __m128 divisor = _mm_cvtepi32_ps(_mm_shuffle_epi32(value, 0xFF));
    __m128 scaled = _mm_mul_ps(_mm_cvtepi32_ps(value), _mm_set1_ps(255.0f));
    __m128 color = _mm_add_ps(_mm_div_ps(scaled, divisor), _mm_set1_ps(0.5f));
    return _mm_blend_epi16(_mm_cvttps_epi32(color), round64(value), 0xC0);
}

// Returns whether the alpha of a comparison's result is set.
INLINE bool alpha_holds(__m128i comparison) {
    return _mm_extract_epi32(comparison, 3) != 0;
}

// Converts four pixels of int32 components, one per vector, to bytes.
INLINE __m128i to_bytes(const __m128i *values) {
    return _mm_packus_epi16(_mm_packs_epi32(values[0], values[1]), _mm_packs_epi32(values[2], values[3]));
}

INLINE __m128i alpha_bytes(void) {
    return _mm_set1_epi32((int)0xFF000000);
}

// Zeroes pixels whose alpha byte is zero, including their results of a division by zero.
INLINE __m128i clear_invisible(__m128i bytes) {
    __m128i alpha = _mm_and_si128(bytes, alpha_bytes());
    return _mm_andnot_si128(_mm_cmpeq_epi32(alpha, _mm_setzero_si128()), bytes);
}

// Finishes four pixels, one per sum.
INLINE __m128i finish_four(const __m128i *sums, __m128i half, __m128i shift, bool opaque) {
    __m128i values[4];
    for (int i = 0; i < 4; i++) {
        values[i] = _mm_sra_epi32(_mm_add_epi32(sums[i], half), shift);
    }
    if (opaque) {
        return _mm_or_si128(to_bytes(values), alpha_bytes());
    }
    __m128i least = _mm_min_epi32(_mm_min_epi32(values[0], values[1]), _mm_min_epi32(values[2], values[3]));
    __m128i most = _mm_max_epi32(_mm_max_epi32(values[0], values[1]), _mm_max_epi32(values[2], values[3]));
    __m128i full = _mm_set1_epi32(255 * 64);
    if (alpha_holds(_mm_and_si128(_mm_cmpeq_epi32(least, full), _mm_cmpeq_epi32(most, full)))) {
        // With full alpha the quotient is a multiple of 1/64, which is exact in a float, so no division is needed.
        for (int i = 0; i < 4; i++) {
            values[i] = round64(values[i]);
        }
        return _mm_or_si128(to_bytes(values), alpha_bytes());
    }
    if (!alpha_holds(_mm_cmpgt_epi32(most, _mm_set1_epi32(31)))) {
        return _mm_setzero_si128();
    }
    for (int i = 0; i < 4; i++) {
        values[i] = straighten(values[i]);
    }
    return clear_invisible(to_bytes(values));
}

// Computes the sums of `count` pixels, one per vector, which stay in registers over all row pairs.
INLINE void vertical_sums(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, size_t pixel,
                          int count, __m128i *sums) {
    for (int i = 0; i < count; i++) {
        sums[i] = _mm_setzero_si128();
    }
    for (size_t pair = 0; pair < pairs; pair++) {
        int32_t two;
        memcpy(&two, coefficients + 2 * pair, sizeof two);
        __m128i weights = _mm_set1_epi32(two);
        const int16_t *values = rows[pair] + 8 * pixel;
        for (int i = 0; i < count; i++) {
            sums[i] = _mm_add_epi32(sums[i], multiply(values + 8 * i, weights));
        }
    }
}

INLINE void vertical_row(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, int32_t precision,
                         size_t width, bool opaque, uint8_t *output) {
    // Combines both roundings of the opaque case, like the scalar variant.
    const __m128i half = _mm_set1_epi32((1 << (precision - 1)) + (opaque ? 32 << precision : 0));
    const __m128i shift = _mm_cvtsi32_si128(precision + (opaque ? 6 : 0));
    __m128i sums[8];
    size_t pixel = 0;
    for (; pixel + 8 <= width; pixel += 8) {
        vertical_sums(rows, coefficients, pairs, pixel, 8, sums);
        store(output + 4 * pixel, finish_four(sums, half, shift, opaque));
        store(output + 4 * pixel + 16, finish_four(sums + 4, half, shift, opaque));
    }
    if (pixel + 4 <= width) {
        vertical_sums(rows, coefficients, pairs, pixel, 4, sums);
        store(output + 4 * pixel, finish_four(sums, half, shift, opaque));
        pixel += 4;
    }
    for (; pixel < width; pixel++) {
        vertical_sums(rows, coefficients, pairs, pixel, 1, sums);
        __m128i same[4] = {sums[0], sums[0], sums[0], sums[0]};
        int32_t bytes = _mm_cvtsi128_si32(finish_four(same, half, shift, opaque));
        memcpy(output + 4 * pixel, &bytes, sizeof bytes);
    }
}

TARGET void ck_resize_vertical8_sse41(const int16_t *const *rows, const int16_t *coefficients, size_t pairs,
                                      int32_t precision, size_t width, bool opaque, uint8_t *output) {
    if (opaque) {
        vertical_row(rows, coefficients, pairs, precision, width, true, output);
    } else {
        vertical_row(rows, coefficients, pairs, precision, width, false, output);
    }
}

#endif
