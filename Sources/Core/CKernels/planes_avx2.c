#include "planes_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET __attribute__((always_inline)) static inline
#define VARIANT(name) ck_planes_##name##_avx2
#define OP(name) _mm256_##name
#define BITS(name) _mm256_##name##_si256

enum { LANES = 16 };

typedef __m256i vec;

INLINE __m256i load(const int16_t *values) {
    return _mm256_loadu_si256((const __m256i *)values);
}

// Widens 4 pixels of 4 rows to units of 1/64.
INLINE void store_four(__m128i samples, int16_t *packed) {
    _mm256_store_si256((__m256i *)packed, _mm256_slli_epi16(_mm256_cvtepu8_epi16(samples), 6));
}

// Stores sixteen pixels. `low` contains the first four of the first eight and of the second eight.
INLINE void store_pixels(__m256i low, __m256i high, uint8_t *output) {
    _mm256_storeu_si256((__m256i *)output, _mm256_permute2x128_si256(low, high, 0x20));
    _mm256_storeu_si256((__m256i *)(output + 32), _mm256_permute2x128_si256(low, high, 0x31));
}

#include "planes_x86.h"

// Adds the four values of each lane, for four vectors. Horizontal additions would take longer.
INLINE __m256i add_lanes(const __m256i *sums) {
    __m256i low = _mm256_add_epi32(_mm256_unpacklo_epi32(sums[0], sums[1]), _mm256_unpackhi_epi32(sums[0], sums[1]));
    __m256i high = _mm256_add_epi32(_mm256_unpacklo_epi32(sums[2], sums[3]), _mm256_unpackhi_epi32(sums[2], sums[3]));
    return _mm256_add_epi32(_mm256_unpacklo_epi64(low, high), _mm256_unpackhi_epi64(low, high));
}

// Filters `8 * eights` samples from pixel `pixel` on. The sums over all rows of all octets stay in registers.
INLINE void vertical_strip(const int16_t *const *octets, const int16_t *coefficients, size_t count, __m256i half,
                           __m128i shift, size_t pixel, int eights, int16_t *output) {
    __m256i sums[8];
    for (int i = 0; i < 4 * eights; i++) {
        sums[i] = _mm256_setzero_si256();
    }
    for (size_t octet = 0; octet < count; octet++) {
        __m256i weights = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(coefficients + 8 * octet)));
        const int16_t *values = octets[octet] + 8 * pixel;
        for (int i = 0; i < 4 * eights; i++) {
            sums[i] = _mm256_add_epi32(sums[i], _mm256_madd_epi16(load(values + 16 * i), weights));
        }
    }
    for (int i = 0; i < eights; i++) {
        // The even pixels are in the low lanes, the odd ones in the high lanes.
        __m256i eight = _mm256_sra_epi32(_mm256_add_epi32(add_lanes(sums + 4 * i), half), shift);
        eight = _mm256_packs_epi32(eight, eight);
        __m128i even = _mm256_castsi256_si128(eight);
        __m128i odd = _mm256_extracti128_si256(eight, 1);
        _mm_storeu_si128((__m128i *)(output + pixel + 8 * i), _mm_unpacklo_epi16(even, odd));
    }
}

TARGET void ck_planes_vertical_avx2(const int16_t *const *octets, const int16_t *coefficients, size_t count,
                                    int32_t precision, size_t width, int16_t *output) {
    if (width < 8) {
        ck_planes_vertical_scalar(octets, coefficients, count, precision, width, output);
        return;
    }
    const __m256i half = _mm256_set1_epi32(1 << (precision - 1));
    const __m128i shift = _mm_cvtsi32_si128(precision);
    size_t pixel = 0;
    for (; pixel + 16 <= width; pixel += 16) {
        vertical_strip(octets, coefficients, count, half, shift, pixel, 2, output);
    }
    if (pixel + 8 <= width) {
        vertical_strip(octets, coefficients, count, half, shift, pixel, 1, output);
        pixel += 8;
    }
    if (pixel < width) {
        // The last eight pixels, which may be processed a second time.
        vertical_strip(octets, coefficients, count, half, shift, width - 8, 1, output);
    }
}

#endif
