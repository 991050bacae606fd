#include "linear_variants.h"

#if defined(__x86_64__)

#define TARGET __attribute__((target("avx2")))
// Forced, so that every call with a constant `opaque` becomes a separate loop.
#define INLINE TARGET __attribute__((always_inline)) static inline

#include "linear_x86.h"

#pragma STDC FP_CONTRACT OFF

TARGET void ck_resize_pack8_linear_avx2(const uint8_t *row0, const uint8_t *row1, size_t width, bool opaque,
                                        const int16_t *table, int16_t *packed0, int16_t *packed1) {
    pack_any_row(row0, width, opaque, table, packed0);
    pack_any_row(row1, width, opaque, table, packed1);
}

// Converts two pixels of int32 components to table indices and the byte of alpha, all of which may be negative. Where
// alpha becomes 0, color is meaningless.
INLINE __m256i to_indices(__m256i value, bool opaque) {
    __m256i color = value;
    __m256i alpha = _mm256_set1_epi32(255);
    if (!opaque) {
        __m256 divisor = _mm256_cvtepi32_ps(_mm256_shuffle_epi32(value, 0xFF));
        __m256 scaled = _mm256_mul_ps(_mm256_cvtepi32_ps(value), _mm256_set1_ps((float)FULL));
        __m256 quotient = _mm256_add_ps(_mm256_div_ps(scaled, divisor), _mm256_set1_ps(0.5f));
        // Clamped before the conversion to an integer, whose range it may exceed.
        color = _mm256_cvttps_epi32(_mm256_min_ps(quotient, _mm256_set1_ps((float)FULL)));
        __m256i rounded = _mm256_srai_epi32(_mm256_add_epi32(value, _mm256_set1_epi32(32)), 6);
        alpha = _mm256_min_epi32(rounded, alpha);
    }
    color = _mm256_min_epi32(color, _mm256_set1_epi32(FULL));
    return _mm256_blend_epi32(color, alpha, 0x88);
}

INLINE void vertical_strip(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, int32_t precision,
                           size_t pixel, bool opaque, const uint8_t *table, uint8_t *output) {
    const __m256i half = _mm256_set1_epi32(1 << (precision - 1));
    const __m128i shift = _mm_cvtsi32_si128(precision);
    __m256i sums[STRIP / 2];
    for (int i = 0; i < STRIP / 2; i++) {
        sums[i] = half;
    }
    for (size_t pair = 0; pair < pairs; pair++) {
        int32_t two;
        memcpy(&two, coefficients + 2 * pair, sizeof two);
        const __m256i weights = _mm256_set1_epi32(two);
        const int16_t *values = rows[pair] + 8 * pixel;
        for (int i = 0; i < STRIP / 2; i++) {
            __m256i samples = _mm256_loadu_si256((const __m256i *)(values + 16 * i));
            sums[i] = _mm256_add_epi32(sums[i], _mm256_madd_epi16(samples, weights));
        }
    }
    uint16_t indices[4 * STRIP];
    for (int i = 0; i < STRIP / 2; i += 2) {
        __m256i first = to_indices(_mm256_sra_epi32(sums[i], shift), opaque);
        __m256i second = to_indices(_mm256_sra_epi32(sums[i + 1], shift), opaque);
        __m256i four = _mm256_permute4x64_epi64(_mm256_packus_epi32(first, second), _MM_SHUFFLE(3, 1, 2, 0));
        _mm256_storeu_si256((__m256i *)(indices + 8 * i), four);
    }
    store_strip(indices, opaque, table, output + 4 * pixel);
}

INLINE void vertical_row(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, int32_t precision,
                         size_t width, bool opaque, const uint8_t *table, uint8_t *output) {
    size_t pixel = 0;
    for (; pixel + STRIP <= width; pixel += STRIP) {
        vertical_strip(rows, coefficients, pairs, precision, pixel, opaque, table, output);
    }
    if (pixel < width) {
        // The last pixels, which may be processed a second time.
        vertical_strip(rows, coefficients, pairs, precision, width - STRIP, opaque, table, output);
    }
}

TARGET void ck_resize_vertical8_linear_avx2(const int16_t *const *rows, const int16_t *coefficients, size_t pairs,
                                            int32_t precision, size_t width, bool opaque, const uint8_t *table,
                                            uint8_t *output) {
    if (width < STRIP) {
        ck_resize_vertical8_linear_scalar(rows, coefficients, pairs, precision, width, opaque, table, output);
    } else if (opaque) {
        vertical_row(rows, coefficients, pairs, precision, width, true, table, output);
    } else {
        vertical_row(rows, coefficients, pairs, precision, width, false, table, output);
    }
}

#endif
