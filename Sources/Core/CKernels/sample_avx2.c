#include "sample_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>

// A fused multiply-add rounds once less, so results would differ between machines.
#pragma STDC FP_CONTRACT OFF

#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET __attribute__((always_inline)) static inline

// The places of eight pixels along an axis.
typedef struct places {
    // The pixel at or before each place.
    int32_t first[8];
    // The weights of the pixels at -1, 0, 1 and 2 for each place.
    float weights[4][8];
} places;

// Returns the places from `start + index * step` on. Computing eight at a time keeps the processor busy: the weights of
// one place depend on each other.
INLINE places places_from(float start, float step, __m256 indexes) {
    static const float cubes[] = {-0.5f, 1.5f, -1.5f, 0.5f};
    static const float squares[] = {1, -2.5f, 2, -0.5f};
    static const float linears[] = {-0.5f, 0, 0.5f, 0};
    static const float constants[] = {0, 1, 0, 0};
    places p;
    __m256 exact = _mm256_add_ps(_mm256_set1_ps(start), _mm256_mul_ps(indexes, _mm256_set1_ps(step)));
    __m256i first = _mm256_cvttps_epi32(exact);
    _mm256_storeu_si256((__m256i *)p.first, first);
    __m256 t = _mm256_sub_ps(exact, _mm256_cvtepi32_ps(first));
    for (int i = 0; i < 4; i++) {
        __m256 sum = _mm256_add_ps(_mm256_mul_ps(_mm256_set1_ps(cubes[i]), t), _mm256_set1_ps(squares[i]));
        sum = _mm256_add_ps(_mm256_mul_ps(sum, t), _mm256_set1_ps(linears[i]));
        sum = _mm256_add_ps(_mm256_mul_ps(sum, t), _mm256_set1_ps(constants[i]));
        _mm256_storeu_ps(p.weights[i], sum);
    }
    return p;
}

// Returns the weighted sums of the even and the odd pixels of four, times the weight of their row.
INLINE __m256 along_row(const float *pixels, __m256 first, __m256 second, const float *down) {
    __m256 left = _mm256_mul_ps(_mm256_loadu_ps(pixels), first);
    __m256 right = _mm256_mul_ps(_mm256_loadu_ps(pixels + 8), second);
    return _mm256_mul_ps(_mm256_add_ps(left, right), _mm256_broadcast_ss(down));
}

// Returns a vector with one number in each half.
INLINE __m256 halves(const float *low, const float *high) {
    return _mm256_set_m128(_mm_broadcast_ss(high), _mm_broadcast_ss(low));
}

TARGET void ck_sample_cubic_rgba_float_avx2(const float *pixels, size_t width, float x, float y, float dx, float dy,
                                            size_t count, float *output) {
    size_t row = width * 4;
    for (size_t start = 0; start < count; start += 8) {
        __m256i eight = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        __m256 indexes = _mm256_cvtepi32_ps(_mm256_add_epi32(_mm256_set1_epi32((int32_t)start), eight));
        places columns = places_from(x, dx, indexes);
        places lines = places_from(y, dy, indexes);
        for (size_t i = 0; i < 8 && start + i < count; i++, output += 4) {
            const float *corner =
                pixels + (size_t)(lines.first[i] - 1) * row + (size_t)(columns.first[i] - 1) * 4;
            __m256 first = halves(&columns.weights[0][i], &columns.weights[1][i]);
            __m256 second = halves(&columns.weights[2][i], &columns.weights[3][i]);
            __m256 row0 = along_row(corner, first, second, &lines.weights[0][i]);
            __m256 row1 = along_row(corner + row, first, second, &lines.weights[1][i]);
            __m256 row2 = along_row(corner + 2 * row, first, second, &lines.weights[2][i]);
            __m256 row3 = along_row(corner + 3 * row, first, second, &lines.weights[3][i]);
            __m256 sums = _mm256_add_ps(_mm256_add_ps(row0, row1), _mm256_add_ps(row2, row3));
            __m128 sum = _mm_add_ps(_mm256_castps256_ps128(sums), _mm256_extractf128_ps(sums, 1));
            _mm_storeu_ps(output, sum);
        }
    }
}

#endif
