#include "sharpen_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>

// A fused multiply-add rounds once less, so results would differ between machines.
#pragma STDC FP_CONTRACT OFF

#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET __attribute__((always_inline)) static inline

typedef struct strength {
    // The factors of the channels.
    __m256 amounts;
    __m256 least;
    __m256 full;
} strength;

INLINE strength strength_of(float amount, float threshold, float full) {
    return (strength){_mm256_setr_ps(amount, amount, amount, 0, amount, amount, amount, 0),
                      _mm256_set1_ps(threshold * full), _mm256_set1_ps(full)};
}

// Sharpens two pixels.
INLINE __m256i sharpened(__m256i pixels, __m256i blurred, strength s) {
    __m256 levels = _mm256_cvtepi32_ps(pixels);
    __m256 differences = _mm256_sub_ps(levels, _mm256_cvtepi32_ps(blurred));
    __m256 sizes = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), differences);
    __m256i clear = _mm256_cmpeq_epi32(_mm256_shuffle_epi32(blurred, 0xff), _mm256_setzero_si256());
    __m256 keeps = _mm256_or_ps(_mm256_cmp_ps(sizes, s.least, _CMP_LT_OQ), _mm256_castsi256_ps(clear));
    __m256 changes = _mm256_andnot_ps(keeps, _mm256_mul_ps(differences, s.amounts));
    __m256 sums = _mm256_add_ps(_mm256_add_ps(levels, changes), _mm256_set1_ps(0.5f));
    // If the sum is not a number, the result is the second operand: 0, as in plain C.
    return _mm256_cvttps_epi32(_mm256_min_ps(_mm256_max_ps(sums, _mm256_setzero_ps()), s.full));
}

INLINE __m256i two_of_8(const uint8_t *pixels) {
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)pixels));
}

INLINE __m256i two_of_16(const uint16_t *pixels) {
    return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)pixels));
}

TARGET void ck_sharpen_rgba8_avx2(const uint8_t *pixels, const uint8_t *blurred, float amount, float threshold,
                                  uint8_t *result, size_t count) {
    strength s = strength_of(amount, threshold, 255);
    // Packing works within lanes, so that the first pixels of all pairs come before the second ones.
    __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    for (; count >= 8; count -= 8, pixels += 32, blurred += 32, result += 32) {
        __m256i pairs[4];
        for (int i = 0; i < 4; i++) {
            pairs[i] = sharpened(two_of_8(pixels + 8 * i), two_of_8(blurred + 8 * i), s);
        }
        __m256i low = _mm256_packus_epi32(pairs[0], pairs[1]);
        __m256i high = _mm256_packus_epi32(pairs[2], pairs[3]);
        __m256i packed = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order);
        _mm256_storeu_si256((__m256i *)result, packed);
    }
    ck_sharpen_rgba8_scalar(pixels, blurred, amount, threshold, result, count);
}

TARGET void ck_sharpen_rgba16_avx2(const uint16_t *pixels, const uint16_t *blurred, float amount, float threshold,
                                   uint16_t *result, size_t count) {
    strength s = strength_of(amount, threshold, 65535);
    for (; count >= 4; count -= 4, pixels += 16, blurred += 16, result += 16) {
        __m256i low = sharpened(two_of_16(pixels), two_of_16(blurred), s);
        __m256i high = sharpened(two_of_16(pixels + 8), two_of_16(blurred + 8), s);
        __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), 0xd8);
        _mm256_storeu_si256((__m256i *)result, packed);
    }
    ck_sharpen_rgba16_scalar(pixels, blurred, amount, threshold, result, count);
}

#endif
