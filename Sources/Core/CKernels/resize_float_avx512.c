#include "resize_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma STDC FP_CONTRACT OFF

#define TARGET __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw")))
// Forced, so that every call with a constant `opaque` becomes a separate loop.
#define INLINE TARGET __attribute__((always_inline)) static inline

// Only the functions that gain from wide vectors. Packing and the vertical pass wait for memory with any vectors.

// The alphas of four pixels.
enum { ALPHAS = 0x8888 };

// Returns a mask of the components of the last pixels, up to four.
INLINE __mmask16 rest_of(size_t components) {
    return (__mmask16)((1 << components) - 1);
}

INLINE __m512 with_alpha(__m512 pixels, __m512 alpha) {
    return _mm512_mask_mov_ps(pixels, ALPHAS, alpha);
}

INLINE __m512 spread_alpha(__m512 pixels) {
    return _mm512_permute_ps(pixels, 0xFF);
}

// Returns the four sums of plain C over a window, one per lane.
INLINE __m512 window_sums(const float *row, const ck_window_f32 *window, const float *coefficients) {
    const __m512i spread = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    const float *values = row + 4 * (size_t)window->start;
    const float *weights = coefficients + window->offset;
    size_t taps = (size_t)window->taps;
    __m512 sums = _mm512_setzero_ps();
    size_t tap = 0;
    for (; tap + 4 <= taps; tap += 4) {
        __m512 four = _mm512_permutexvar_ps(spread, _mm512_castps128_ps512(_mm_loadu_ps(weights + tap)));
        sums = _mm512_add_ps(sums, _mm512_mul_ps(_mm512_loadu_ps(values + 4 * tap), four));
    }
    __m128 first = _mm512_castps512_ps128(sums);
    for (; tap < taps; tap++) {
        first = _mm_add_ps(first, _mm_mul_ps(_mm_loadu_ps(values + 4 * tap), _mm_set1_ps(weights[tap])));
    }
    return _mm512_insertf32x4(sums, first, 0);
}

// Returns the sums of lanes 0 and 1 and those of lanes 2 and 3, of both windows in turn.
INLINE __m512 join_pairs(__m512 a, __m512 b) {
    return _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xDD));
}

// Returns four pixels from the sums over their windows.
INLINE __m512 join_four(const __m512 *sums) {
    return join_pairs(join_pairs(sums[0], sums[1]), join_pairs(sums[2], sums[3]));
}

TARGET void ck_resize_horizontal_f32_avx512(const float *row, const ck_window_f32 *windows, const float *coefficients,
                                            size_t count, float *output) {
    size_t pixel = 0;
    for (; pixel + 4 <= count; pixel += 4) {
        __m512 sums[4] = {
            window_sums(row, windows + pixel, coefficients),
            window_sums(row, windows + pixel + 1, coefficients),
            window_sums(row, windows + pixel + 2, coefficients),
            window_sums(row, windows + pixel + 3, coefficients),
        };
        _mm512_storeu_ps(output + 4 * pixel, join_four(sums));
    }
    if (pixel < count) {
        __m512 sums[4] = {_mm512_setzero_ps()};
        for (size_t i = 0; pixel + i < count; i++) {
            sums[i] = window_sums(row, windows + pixel + i, coefficients);
        }
        _mm512_mask_storeu_ps(output + 4 * pixel, rest_of(4 * (count - pixel)), join_four(sums));
    }
}

// Clamps to 0...high. In this order of operands NaN becomes 0.
INLINE __m512 clamp(__m512 values, __m512 high) {
    return _mm512_min_ps(_mm512_max_ps(values, _mm512_setzero_ps()), high);
}

// Returns four straight pixels, with 65535 for full intensity, computed like plain C.
INLINE __m512 straighten(__m512 pixels, bool opaque) {
    const __m512 one = _mm512_set1_ps(1.0f);
    const __m512 full = _mm512_set1_ps(65535.0f);
    if (opaque) {
        return _mm512_mul_ps(with_alpha(pixels, one), full);
    }
    __m512 alpha = clamp(pixels, one);
    // The greater value is the alpha beyond full, or otherwise the clamped alpha, also for NaN.
    __m512 divisor = spread_alpha(_mm512_max_ps(pixels, alpha));
    return _mm512_div_ps(_mm512_mul_ps(with_alpha(pixels, alpha), full), with_alpha(divisor, one));
}

// Returns four rounded pixels, which are zero where alpha is.
INLINE __m256i to_words(__m512 pixels, bool opaque) {
    const __m512 full = _mm512_set1_ps(65535.0f);
    __m512 values = clamp(straighten(pixels, opaque), full);
    __m512i words = _mm512_cvttps_epi32(_mm512_add_ps(values, _mm512_set1_ps(0.5f)));
    __m512i alpha = _mm512_shuffle_epi32(words, (_MM_PERM_ENUM)0xFF);
    return _mm512_cvtepi32_epi16(_mm512_maskz_mov_epi32(_mm512_test_epi32_mask(alpha, alpha), words));
}

INLINE void unpack_words(const float *row, size_t width, bool opaque, uint16_t *output) {
    size_t i = 0;
    for (; i + 16 <= 4 * width; i += 16) {
        _mm256_storeu_si256((__m256i *)(output + i), to_words(_mm512_loadu_ps(row + i), opaque));
    }
    if (i < 4 * width) {
        __mmask16 rest = rest_of(4 * width - i);
        _mm256_mask_storeu_epi16(output + i, rest, to_words(_mm512_maskz_loadu_ps(rest, row + i), opaque));
    }
}

TARGET void ck_resize_unpack_rgba16_avx512(const float *row, size_t width, bool opaque, uint16_t *output) {
    if (opaque) {
        unpack_words(row, width, true, output);
    } else {
        unpack_words(row, width, false, output);
    }
}

#endif
