#include "planes_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("sse4.1")))
#define INLINE TARGET __attribute__((always_inline)) static inline

INLINE __m128i load_bytes(const uint8_t *samples) {
    return _mm_loadu_si128((const __m128i *)samples);
}

// Widens 4 pixels of 4 rows to units of 1/64.
INLINE void store_four(__m128i samples, int16_t *packed) {
    const __m128i zero = _mm_setzero_si128();
    _mm_store_si128((__m128i *)packed, _mm_slli_epi16(_mm_unpacklo_epi8(samples, zero), 6));
    _mm_store_si128((__m128i *)(packed + 8), _mm_slli_epi16(_mm_unpackhi_epi8(samples, zero), 6));
}

TARGET static void pack_four_rows(const uint8_t *const *rows, size_t width, int16_t *packed) {
    size_t pixel = 0;
    // Rows are missing below the end of a plane only: those are left to plain C.
    if (rows[0] != NULL && rows[1] != NULL && rows[2] != NULL && rows[3] != NULL) {
        for (; pixel + 16 <= width; pixel += 16) {
            __m128i row0 = load_bytes(rows[0] + pixel);
            __m128i row1 = load_bytes(rows[1] + pixel);
            __m128i row2 = load_bytes(rows[2] + pixel);
            __m128i row3 = load_bytes(rows[3] + pixel);
            // A transposition of pairs of samples.
            __m128i low01 = _mm_unpacklo_epi16(row0, row1);
            __m128i low23 = _mm_unpacklo_epi16(row2, row3);
            __m128i high01 = _mm_unpackhi_epi16(row0, row1);
            __m128i high23 = _mm_unpackhi_epi16(row2, row3);
            store_four(_mm_unpacklo_epi32(low01, low23), packed + 4 * pixel);
            store_four(_mm_unpackhi_epi32(low01, low23), packed + 4 * pixel + 16);
            store_four(_mm_unpacklo_epi32(high01, high23), packed + 4 * pixel + 32);
            store_four(_mm_unpackhi_epi32(high01, high23), packed + 4 * pixel + 48);
        }
    }
    ck_planes_pack_from(rows, pixel, width, packed);
}

TARGET void ck_planes_pack8_sse41(const uint8_t *const *rows, size_t width, int16_t *packed0, int16_t *packed1) {
    pack_four_rows(rows, width, packed0);
    pack_four_rows(rows + 4, width, packed1);
}

INLINE __m128i load(const int16_t *values) {
    return _mm_loadu_si128((const __m128i *)values);
}

// Four samples from pixel `pixel` on, each the sum over all rows of all octets.
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
        // The last four pixels, some of them a second time.
        vertical_four(octets, coefficients, count, half, shift, width - 4, output);
    }
}

// Eight pixels of 16 bit components to bytes with full alpha.
INLINE void store_opaque(__m128i red, __m128i green, __m128i blue, uint8_t *output) {
    __m128i red_blue = _mm_packus_epi16(red, blue);
    __m128i green_alpha = _mm_packus_epi16(green, _mm_set1_epi16(255));
    __m128i red_green = _mm_unpacklo_epi8(red_blue, green_alpha);
    __m128i blue_alpha = _mm_unpackhi_epi8(red_blue, green_alpha);
    _mm_storeu_si128((__m128i *)output, _mm_unpacklo_epi16(red_green, blue_alpha));
    _mm_storeu_si128((__m128i *)(output + 16), _mm_unpackhi_epi16(red_green, blue_alpha));
}

INLINE __m128i factors(int16_t luma, int16_t chroma) {
    return _mm_set1_epi32((int32_t)((uint32_t)(uint16_t)chroma << 16 | (uint16_t)luma));
}

INLINE __m128i to_levels(__m128i low, __m128i high, int32_t half) {
    low = _mm_srai_epi32(_mm_add_epi32(low, _mm_set1_epi32(half)), CK_YCC_SHIFT);
    high = _mm_srai_epi32(_mm_add_epi32(high, _mm_set1_epi32(half)), CK_YCC_SHIFT);
    return _mm_packs_epi32(low, high);
}

INLINE void ycc_eight(const int16_t *y, const int16_t *cb, const int16_t *cr, uint8_t *output) {
    __m128i luma = load(y);
    __m128i low_cb = _mm_unpacklo_epi16(luma, load(cb));
    __m128i high_cb = _mm_unpackhi_epi16(luma, load(cb));
    __m128i low_cr = _mm_unpacklo_epi16(luma, load(cr));
    __m128i high_cr = _mm_unpackhi_epi16(luma, load(cr));
    __m128i red = factors(CK_YCC_ONE, CK_YCC_RED_CR);
    __m128i blue = factors(CK_YCC_ONE, CK_YCC_BLUE_CB);
    // Half of Y comes with Cb, half with Cr.
    __m128i green_cb = factors(CK_YCC_ONE / 2, CK_YCC_GREEN_CB);
    __m128i green_cr = factors(CK_YCC_ONE / 2, CK_YCC_GREEN_CR);
    __m128i low_green = _mm_add_epi32(_mm_madd_epi16(low_cb, green_cb), _mm_madd_epi16(low_cr, green_cr));
    __m128i high_green = _mm_add_epi32(_mm_madd_epi16(high_cb, green_cb), _mm_madd_epi16(high_cr, green_cr));
    store_opaque(to_levels(_mm_madd_epi16(low_cr, red), _mm_madd_epi16(high_cr, red), CK_YCC_RED),
                 to_levels(low_green, high_green, CK_YCC_GREEN),
                 to_levels(_mm_madd_epi16(low_cb, blue), _mm_madd_epi16(high_cb, blue), CK_YCC_BLUE), output);
}

TARGET void ck_planes_ycc_rgba8_sse41(const int16_t *y, const int16_t *cb, const int16_t *cr, size_t width,
                                      uint8_t *output) {
    if (width < 8) {
        ck_planes_ycc_rgba8_scalar(y, cb, cr, width, output);
        return;
    }
    size_t pixel = 0;
    for (; pixel + 8 <= width; pixel += 8) {
        ycc_eight(y + pixel, cb + pixel, cr + pixel, output + 4 * pixel);
    }
    if (pixel < width) {
        // The last eight pixels, some of them a second time.
        pixel = width - 8;
        ycc_eight(y + pixel, cb + pixel, cr + pixel, output + 4 * pixel);
    }
}

INLINE void gray_eight(const int16_t *y, uint8_t *output) {
    // Saturated, which is far beyond what becomes 255.
    __m128i level = _mm_srai_epi16(_mm_adds_epi16(load(y), _mm_set1_epi16(32)), 6);
    store_opaque(level, level, level, output);
}

TARGET void ck_planes_gray_rgba8_sse41(const int16_t *y, size_t width, uint8_t *output) {
    if (width < 8) {
        ck_planes_gray_rgba8_scalar(y, width, output);
        return;
    }
    size_t pixel = 0;
    for (; pixel + 8 <= width; pixel += 8) {
        gray_eight(y + pixel, output + 4 * pixel);
    }
    if (pixel < width) {
        gray_eight(y + width - 8, output + 4 * (width - 8));
    }
}

#endif
