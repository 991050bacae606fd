#include "planes_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET __attribute__((always_inline)) static inline

INLINE __m128i load_bytes(const uint8_t *samples) {
    return _mm_loadu_si128((const __m128i *)samples);
}

// Widens 4 pixels of 4 rows to units of 1/64.
INLINE void store_four(__m128i samples, int16_t *packed) {
    _mm256_store_si256((__m256i *)packed, _mm256_slli_epi16(_mm256_cvtepu8_epi16(samples), 6));
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

TARGET void ck_planes_pack8_avx2(const uint8_t *const *rows, size_t width, int16_t *packed0, int16_t *packed1) {
    pack_four_rows(rows, width, packed0);
    pack_four_rows(rows + 4, width, packed1);
}

INLINE __m256i load(const int16_t *values) {
    return _mm256_loadu_si256((const __m256i *)values);
}

// Eight samples from pixel `pixel` on, each the sum over all rows of all octets.
INLINE void vertical_eight(const int16_t *const *octets, const int16_t *coefficients, size_t count, __m128i half,
                           __m128i shift, size_t pixel, int16_t *output) {
    __m256i sums[4];
    for (int i = 0; i < 4; i++) {
        sums[i] = _mm256_setzero_si256();
    }
    for (size_t octet = 0; octet < count; octet++) {
        __m256i weights = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(coefficients + 8 * octet)));
        const int16_t *values = octets[octet] + 8 * pixel;
        for (int i = 0; i < 4; i++) {
            sums[i] = _mm256_add_epi32(sums[i], _mm256_madd_epi16(load(values + 16 * i), weights));
        }
    }
    // The even pixels are in the low lanes, the odd ones in the high lanes.
    __m256i eight = _mm256_hadd_epi32(_mm256_hadd_epi32(sums[0], sums[1]), _mm256_hadd_epi32(sums[2], sums[3]));
    __m128i even = _mm256_castsi256_si128(eight);
    __m128i odd = _mm256_extracti128_si256(eight, 1);
    __m128i first = _mm_sra_epi32(_mm_add_epi32(_mm_unpacklo_epi32(even, odd), half), shift);
    __m128i second = _mm_sra_epi32(_mm_add_epi32(_mm_unpackhi_epi32(even, odd), half), shift);
    _mm_storeu_si128((__m128i *)(output + pixel), _mm_packs_epi32(first, second));
}

TARGET void ck_planes_vertical_avx2(const int16_t *const *octets, const int16_t *coefficients, size_t count,
                                    int32_t precision, size_t width, int16_t *output) {
    if (width < 8) {
        ck_planes_vertical_scalar(octets, coefficients, count, precision, width, output);
        return;
    }
    const __m128i half = _mm_set1_epi32(1 << (precision - 1));
    const __m128i shift = _mm_cvtsi32_si128(precision);
    size_t pixel = 0;
    for (; pixel + 8 <= width; pixel += 8) {
        vertical_eight(octets, coefficients, count, half, shift, pixel, output);
    }
    if (pixel < width) {
        // The last eight pixels, some of them a second time.
        vertical_eight(octets, coefficients, count, half, shift, width - 8, output);
    }
}

// Sixteen pixels of 16 bit components to bytes with full alpha.
INLINE void store_opaque(__m256i red, __m256i green, __m256i blue, uint8_t *output) {
    __m256i red_blue = _mm256_packus_epi16(red, blue);
    __m256i green_alpha = _mm256_packus_epi16(green, _mm256_set1_epi16(255));
    __m256i red_green = _mm256_unpacklo_epi8(red_blue, green_alpha);
    __m256i blue_alpha = _mm256_unpackhi_epi8(red_blue, green_alpha);
    __m256i low = _mm256_unpacklo_epi16(red_green, blue_alpha);
    __m256i high = _mm256_unpackhi_epi16(red_green, blue_alpha);
    _mm256_storeu_si256((__m256i *)output, _mm256_permute2x128_si256(low, high, 0x20));
    _mm256_storeu_si256((__m256i *)(output + 32), _mm256_permute2x128_si256(low, high, 0x31));
}

INLINE __m256i factors(int16_t luma, int16_t chroma) {
    return _mm256_set1_epi32((int32_t)((uint32_t)(uint16_t)chroma << 16 | (uint16_t)luma));
}

INLINE __m256i to_levels(__m256i low, __m256i high, int32_t half) {
    low = _mm256_srai_epi32(_mm256_add_epi32(low, _mm256_set1_epi32(half)), CK_YCC_SHIFT);
    high = _mm256_srai_epi32(_mm256_add_epi32(high, _mm256_set1_epi32(half)), CK_YCC_SHIFT);
    return _mm256_packs_epi32(low, high);
}

INLINE void ycc_sixteen(const int16_t *y, const int16_t *cb, const int16_t *cr, uint8_t *output) {
    __m256i luma = load(y);
    __m256i low_cb = _mm256_unpacklo_epi16(luma, load(cb));
    __m256i high_cb = _mm256_unpackhi_epi16(luma, load(cb));
    __m256i low_cr = _mm256_unpacklo_epi16(luma, load(cr));
    __m256i high_cr = _mm256_unpackhi_epi16(luma, load(cr));
    __m256i red = factors(CK_YCC_ONE, CK_YCC_RED_CR);
    __m256i blue = factors(CK_YCC_ONE, CK_YCC_BLUE_CB);
    // Half of Y comes with Cb, half with Cr.
    __m256i green_cb = factors(CK_YCC_ONE / 2, CK_YCC_GREEN_CB);
    __m256i green_cr = factors(CK_YCC_ONE / 2, CK_YCC_GREEN_CR);
    __m256i low_green = _mm256_add_epi32(_mm256_madd_epi16(low_cb, green_cb), _mm256_madd_epi16(low_cr, green_cr));
    __m256i high_green = _mm256_add_epi32(_mm256_madd_epi16(high_cb, green_cb), _mm256_madd_epi16(high_cr, green_cr));
    store_opaque(to_levels(_mm256_madd_epi16(low_cr, red), _mm256_madd_epi16(high_cr, red), CK_YCC_RED),
                 to_levels(low_green, high_green, CK_YCC_GREEN),
                 to_levels(_mm256_madd_epi16(low_cb, blue), _mm256_madd_epi16(high_cb, blue), CK_YCC_BLUE), output);
}

TARGET void ck_planes_ycc_rgba8_avx2(const int16_t *y, const int16_t *cb, const int16_t *cr, size_t width,
                                     uint8_t *output) {
    if (width < 16) {
        ck_planes_ycc_rgba8_scalar(y, cb, cr, width, output);
        return;
    }
    size_t pixel = 0;
    for (; pixel + 16 <= width; pixel += 16) {
        ycc_sixteen(y + pixel, cb + pixel, cr + pixel, output + 4 * pixel);
    }
    if (pixel < width) {
        // The last sixteen pixels, some of them a second time.
        pixel = width - 16;
        ycc_sixteen(y + pixel, cb + pixel, cr + pixel, output + 4 * pixel);
    }
}

INLINE void gray_sixteen(const int16_t *y, uint8_t *output) {
    // Saturated, which is far beyond what becomes 255.
    __m256i level = _mm256_srai_epi16(_mm256_adds_epi16(load(y), _mm256_set1_epi16(32)), 6);
    store_opaque(level, level, level, output);
}

TARGET void ck_planes_gray_rgba8_avx2(const int16_t *y, size_t width, uint8_t *output) {
    if (width < 16) {
        ck_planes_gray_rgba8_scalar(y, width, output);
        return;
    }
    size_t pixel = 0;
    for (; pixel + 16 <= width; pixel += 16) {
        gray_sixteen(y + pixel, output + 4 * pixel);
    }
    if (pixel < width) {
        gray_sixteen(y + width - 16, output + 4 * (width - 16));
    }
}

#endif
