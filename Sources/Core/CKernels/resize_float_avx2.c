#include "resize_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma STDC FP_CONTRACT OFF

#define TARGET __attribute__((target("avx2")))
// Forced, so that every call with a constant `opaque` becomes a separate loop.
#define INLINE TARGET __attribute__((always_inline)) static inline

enum {
    // The alphas of two pixels.
    ALPHAS = 0x88,
    // In bytes, as when packing 8-bit pixels.
    PREFETCH_DISTANCE = 8192,
    // The number of vectors of the vertical pass that stay in registers over all rows.
    STRIP = 8,
};

// Loads one pixel; the high half is zero.
INLINE __m256 load_one(const float *values) {
    return _mm256_zextps128_ps256(_mm_loadu_ps(values));
}

INLINE void store_one(float *values, __m256 source) {
    _mm_storeu_ps(values, _mm256_castps256_ps128(source));
}

INLINE __m256 with_alpha(__m256 pixels, __m256 alpha) {
    return _mm256_blend_ps(pixels, alpha, ALPHAS);
}

INLINE __m256 spread_alpha(__m256 pixels) {
    return _mm256_permute_ps(pixels, 0xFF);
}

INLINE __m256 premultiply(__m256 pixels, bool opaque) {
    const __m256 one = _mm256_set1_ps(1.0f);
    return opaque ? with_alpha(pixels, one) : _mm256_mul_ps(pixels, with_alpha(spread_alpha(pixels), one));
}

INLINE __m256 from_words(__m128i words) {
    return _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(words)), _mm256_set1_ps(1.0f / 65535.0f));
}

INLINE void pack_words(const uint16_t *row, size_t width, bool opaque, float *output) {
    size_t i = 0;
    for (; i + 8 <= 4 * width; i += 8) {
        _mm_prefetch((const char *)((uintptr_t)(row + i) + PREFETCH_DISTANCE), _MM_HINT_T0);
        __m128i words = _mm_loadu_si128((const __m128i *)(row + i));
        _mm256_storeu_ps(output + i, premultiply(from_words(words), opaque));
    }
    if (i < 4 * width) {
        __m128i words = _mm_loadl_epi64((const __m128i *)(row + i));
        store_one(output + i, premultiply(from_words(words), opaque));
    }
}

TARGET void ck_resize_pack_rgba16_avx2(const uint16_t *row, size_t width, bool opaque, float *output) {
    if (opaque) {
        pack_words(row, width, true, output);
    } else {
        pack_words(row, width, false, output);
    }
}

INLINE void pack_floats(const float *row, size_t width, bool opaque, float *output) {
    size_t i = 0;
    for (; i + 8 <= 4 * width; i += 8) {
        _mm_prefetch((const char *)((uintptr_t)(row + i) + PREFETCH_DISTANCE), _MM_HINT_T0);
        _mm256_storeu_ps(output + i, premultiply(_mm256_loadu_ps(row + i), opaque));
    }
    if (i < 4 * width) {
        store_one(output + i, premultiply(load_one(row + i), opaque));
    }
}

TARGET void ck_resize_pack_rgbaf_avx2(const float *row, size_t width, bool opaque, float *output) {
    if (opaque) {
        pack_floats(row, width, true, output);
    } else {
        pack_floats(row, width, false, output);
    }
}

TARGET void ck_resize_horizontal_f32_avx2(const float *row, const ck_window_f32 *windows, const float *coefficients,
                                          size_t count, float *output) {
    const __m256i first = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    const __m256i last = _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3);
    for (size_t pixel = 0; pixel < count; pixel++) {
        const float *values = row + 4 * (size_t)windows[pixel].start;
        const float *weights = coefficients + windows[pixel].offset;
        size_t taps = (size_t)windows[pixel].taps;
        // The four sums of plain C, two per vector.
        __m256 sums01 = _mm256_setzero_ps();
        __m256 sums23 = _mm256_setzero_ps();
        size_t tap = 0;
        for (; tap + 4 <= taps; tap += 4) {
            __m256 four = _mm256_broadcast_ps((const __m128 *)(weights + tap));
            __m256 values01 = _mm256_loadu_ps(values + 4 * tap);
            __m256 values23 = _mm256_loadu_ps(values + 4 * tap + 8);
            sums01 = _mm256_add_ps(sums01, _mm256_mul_ps(values01, _mm256_permutevar_ps(four, first)));
            sums23 = _mm256_add_ps(sums23, _mm256_mul_ps(values23, _mm256_permutevar_ps(four, last)));
        }
        __m128 sum0 = _mm256_castps256_ps128(sums01);
        for (; tap < taps; tap++) {
            sum0 = _mm_add_ps(sum0, _mm_mul_ps(_mm_loadu_ps(values + 4 * tap), _mm_set1_ps(weights[tap])));
        }
        sum0 = _mm_add_ps(sum0, _mm256_extractf128_ps(sums01, 1));
        __m128 sum2 = _mm_add_ps(_mm256_castps256_ps128(sums23), _mm256_extractf128_ps(sums23, 1));
        _mm_storeu_ps(output + 4 * pixel, _mm_add_ps(sum0, sum2));
    }
}

TARGET void ck_resize_vertical_f32_avx2(const float *const *rows, const float *coefficients, size_t taps, size_t width,
                                        float *output) {
    size_t i = 0;
    for (; i + 8 * STRIP <= 4 * width; i += 8 * STRIP) {
        __m256 sums[STRIP];
        for (int k = 0; k < STRIP; k++) {
            sums[k] = _mm256_setzero_ps();
        }
        for (size_t tap = 0; tap < taps; tap++) {
            __m256 weight = _mm256_set1_ps(coefficients[tap]);
            for (int k = 0; k < STRIP; k++) {
                __m256 values = _mm256_loadu_ps(rows[tap] + i + 8 * k);
                sums[k] = _mm256_add_ps(sums[k], _mm256_mul_ps(values, weight));
            }
        }
        for (int k = 0; k < STRIP; k++) {
            _mm256_storeu_ps(output + i + 8 * k, sums[k]);
        }
    }
    for (; i < 4 * width; i += 4) {
        __m128 sum = _mm_setzero_ps();
        for (size_t tap = 0; tap < taps; tap++) {
            sum = _mm_add_ps(sum, _mm_mul_ps(_mm_loadu_ps(rows[tap] + i), _mm_set1_ps(coefficients[tap])));
        }
        _mm_storeu_ps(output + i, sum);
    }
}

// Clamps to 0...high. In this order of operands NaN becomes 0.
INLINE __m256 clamp(__m256 values, __m256 high) {
    return _mm256_min_ps(_mm256_max_ps(values, _mm256_setzero_ps()), high);
}

// Returns two straight pixels, computed like plain C.
INLINE __m256 straighten(__m256 pixels, float scale, bool opaque) {
    const __m256 one = _mm256_set1_ps(1.0f);
    const __m256 factor = _mm256_set1_ps(scale);
    if (opaque) {
        return _mm256_mul_ps(with_alpha(pixels, one), factor);
    }
    __m256 alpha = clamp(pixels, one);
    // The greater value is the alpha beyond full, or otherwise the clamped alpha, also for NaN.
    __m256 divisor = spread_alpha(_mm256_max_ps(pixels, alpha));
    return _mm256_div_ps(_mm256_mul_ps(with_alpha(pixels, alpha), factor), with_alpha(divisor, one));
}

// Returns two rounded pixels, which are zero where alpha is.
INLINE __m256i to_words(__m256 pixels, bool opaque) {
    const __m256 full = _mm256_set1_ps(65535.0f);
    __m256 values = clamp(straighten(pixels, 65535.0f, opaque), full);
    __m256i words = _mm256_cvttps_epi32(_mm256_add_ps(values, _mm256_set1_ps(0.5f)));
    __m256i alpha = _mm256_shuffle_epi32(words, 0xFF);
    return _mm256_andnot_si256(_mm256_cmpeq_epi32(alpha, _mm256_setzero_si256()), words);
}

INLINE void unpack_words(const float *row, size_t width, bool opaque, uint16_t *output) {
    size_t i = 0;
    for (; i + 16 <= 4 * width; i += 16) {
        __m256i words = _mm256_packus_epi32(to_words(_mm256_loadu_ps(row + i), opaque),
                                            to_words(_mm256_loadu_ps(row + i + 8), opaque));
        _mm256_storeu_si256((__m256i *)(output + i), _mm256_permute4x64_epi64(words, 0xD8));
    }
    for (; i < 4 * width; i += 4) {
        __m256i words = to_words(load_one(row + i), opaque);
        words = _mm256_packus_epi32(words, words);
        _mm_storel_epi64((__m128i *)(output + i), _mm256_castsi256_si128(words));
    }
}

TARGET void ck_resize_unpack_rgba16_avx2(const float *row, size_t width, bool opaque, uint16_t *output) {
    if (opaque) {
        unpack_words(row, width, true, output);
    } else {
        unpack_words(row, width, false, output);
    }
}

INLINE __m256 to_floats(__m256 pixels, bool opaque) {
    __m256 result = straighten(pixels, 1.0f, opaque);
    __m256 visible = _mm256_cmp_ps(spread_alpha(result), _mm256_setzero_ps(), _CMP_GT_OQ);
    return _mm256_and_ps(result, visible);
}

INLINE void unpack_floats(const float *row, size_t width, bool opaque, float *output) {
    size_t i = 0;
    for (; i + 8 <= 4 * width; i += 8) {
        _mm256_storeu_ps(output + i, to_floats(_mm256_loadu_ps(row + i), opaque));
    }
    if (i < 4 * width) {
        store_one(output + i, to_floats(load_one(row + i), opaque));
    }
}

TARGET void ck_resize_unpack_rgbaf_avx2(const float *row, size_t width, bool opaque, float *output) {
    if (opaque) {
        unpack_floats(row, width, true, output);
    } else {
        unpack_floats(row, width, false, output);
    }
}

#endif
