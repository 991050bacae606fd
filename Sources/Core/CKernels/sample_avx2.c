#include "sample_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>

// A fused multiply-add rounds once less, so results would differ between machines.
#pragma STDC FP_CONTRACT OFF

#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET __attribute__((always_inline)) static inline

// Returns the weights of the pixels at -1, 0, 1 and 2 along both axes, for places from 0 up to 1: those of the columns
// in the low lane, those of the rows in the high lane.
INLINE __m256 weights(__m128 columns, __m128 rows) {
    const __m256 cubes = _mm256_setr_ps(-0.5f, 1.5f, -1.5f, 0.5f, -0.5f, 1.5f, -1.5f, 0.5f);
    const __m256 squares = _mm256_setr_ps(1, -2.5f, 2, -0.5f, 1, -2.5f, 2, -0.5f);
    const __m256 linears = _mm256_setr_ps(-0.5f, 0, 0.5f, 0, -0.5f, 0, 0.5f, 0);
    const __m256 constants = _mm256_setr_ps(0, 1, 0, 0, 0, 1, 0, 0);
    __m256 t = _mm256_set_m128(rows, columns);
    __m256 sum = _mm256_add_ps(_mm256_mul_ps(cubes, t), squares);
    sum = _mm256_add_ps(_mm256_mul_ps(sum, t), linears);
    return _mm256_add_ps(_mm256_mul_ps(sum, t), constants);
}

// Returns the weighted sums of four pixels of two rows, one in each lane.
INLINE __m256 along_rows(const float *upper, const float *lower, const __m256 *across) {
    __m256 products[4];
    for (int i = 0; i < 4; i++) {
        __m256 pixels = _mm256_loadu2_m128(lower + 4 * i, upper + 4 * i);
        products[i] = _mm256_mul_ps(pixels, across[i]);
    }
    return _mm256_add_ps(_mm256_add_ps(products[0], products[1]), _mm256_add_ps(products[2], products[3]));
}

TARGET void ck_sample_cubic_rgba_float_avx2(const float *pixels, size_t width, float x, float y, float dx, float dy,
                                            size_t count, float *output) {
    size_t row = width * 4;
    for (size_t i = 0; i < count; i++, output += 4) {
        float column = x + (float)i * dx;
        float line = y + (float)i * dy;
        int32_t left = (int32_t)column;
        int32_t top = (int32_t)line;
        __m256 w = weights(_mm_set1_ps(column - (float)left), _mm_set1_ps(line - (float)top));
        __m256 columns = _mm256_permute2f128_ps(w, w, 0x00);
        const __m256 across[] = {
            _mm256_permute_ps(columns, 0x00), _mm256_permute_ps(columns, 0x55), _mm256_permute_ps(columns, 0xaa),
            _mm256_permute_ps(columns, 0xff),
        };
        const float *corner = pixels + (size_t)(top - 1) * row + (size_t)(left - 1) * 4;
        __m256 upper = along_rows(corner, corner + row, across);
        __m256 lower = along_rows(corner + 2 * row, corner + 3 * row, across);
        // The weights of the rows 0 and 1, and of the rows 2 and 3, each in all four channels.
        __m256 down = _mm256_permute2f128_ps(w, w, 0x11);
        upper = _mm256_mul_ps(upper, _mm256_permutevar_ps(down, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1)));
        lower = _mm256_mul_ps(lower, _mm256_permutevar_ps(down, _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3)));
        __m128 above = _mm_add_ps(_mm256_castps256_ps128(upper), _mm256_extractf128_ps(upper, 1));
        __m128 below = _mm_add_ps(_mm256_castps256_ps128(lower), _mm256_extractf128_ps(lower, 1));
        _mm_storeu_ps(output, _mm_add_ps(above, below));
    }
}

#endif
