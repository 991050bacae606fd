#include "planes_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("sse4.1")))
#define INLINE TARGET __attribute__((always_inline)) static inline
#define VARIANT(name) ck_planes_##name##_sse41
#define OP(name) _mm_##name
#define BITS(name) _mm_##name##_si128

enum { LANES = 8 };

typedef __m128i vec;

INLINE __m128i load(const int16_t *values) {
    return _mm_loadu_si128((const __m128i *)values);
}

// Widens 4 pixels of 4 rows to units of 1/64.
INLINE void store_four(__m128i samples, int16_t *packed) {
    const __m128i zero = _mm_setzero_si128();
    _mm_store_si128((__m128i *)packed, _mm_slli_epi16(_mm_unpacklo_epi8(samples, zero), 6));
    _mm_store_si128((__m128i *)(packed + 8), _mm_slli_epi16(_mm_unpackhi_epi8(samples, zero), 6));
}

// Stores pixels, which are in order already.
INLINE void store_pixels(__m128i low, __m128i high, uint8_t *output) {
    _mm_storeu_si128((__m128i *)output, low);
    _mm_storeu_si128((__m128i *)(output + 16), high);
}

#include "planes_x86.h"

// Filters four samples from pixel `pixel` on, each the sum over all rows of all octets.
INLINE void vertical_four(const int16_t *const *octets, const int16_t *coefficients, size_t count, __m128i half,
                          __m128i shift, size_t pixel, int16_t *output) {
    __m128i sums[4];
    for (int i = 0; i < 4; i++) {
        sums[i] = _mm_setzero_si128();
    }
    for (size_t octet = 0; octet < count; octet++) {
        __m128i weights = load(coefficients + 8 * octet);
        const int16_t *values = octets[octet] + 8 * pixel;
        for (int i = 0; i < 4; i++) {
            sums[i] = _mm_add_epi32(sums[i], _mm_madd_epi16(load(values + 8 * i), weights));
        }
    }
    __m128i four = _mm_hadd_epi32(_mm_hadd_epi32(sums[0], sums[1]), _mm_hadd_epi32(sums[2], sums[3]));
    four = _mm_sra_epi32(_mm_add_epi32(four, half), shift);
    _mm_storel_epi64((__m128i *)(output + pixel), _mm_packs_epi32(four, four));
}

TARGET void ck_planes_vertical_sse41(const int16_t *const *octets, const int16_t *coefficients, size_t count,
                                     int32_t precision, size_t width, int16_t *output) {
    if (width < 4) {
        ck_planes_vertical_scalar(octets, coefficients, count, precision, width, output);
        return;
    }
    const __m128i half = _mm_set1_epi32(1 << (precision - 1));
    const __m128i shift = _mm_cvtsi32_si128(precision);
    size_t pixel = 0;
    for (; pixel + 4 <= width; pixel += 4) {
        vertical_four(octets, coefficients, count, half, shift, pixel, output);
    }
    if (pixel < width) {
        // The last four pixels, which may be processed a second time.
        vertical_four(octets, coefficients, count, half, shift, width - 4, output);
    }
}

#endif
