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

// What a product of levels and `part`, in units of 2^-16, is rounded to. Its low bits are known.
INLINE __m128i rounded_product(__m128i levels, __m128i low_bits, int16_t part) {
    __m128i product = _mm_mulhi_epi16(levels, _mm_set1_epi16(part));
    return _mm_sub_epi16(product, _mm_srai_epi16(low_bits, 15));
}

// The same of a sum of two products.
INLINE __m128i rounded_sum(__m128i levels0, __m128i levels1, int16_t part0, int16_t part1) {
    const __m128i half = _mm_set1_epi32(CK_YCC_HALF);
    const __m128i parts = _mm_set1_epi32((int32_t)((uint32_t)(uint16_t)part1 << 16 | (uint16_t)part0));
    __m128i low = _mm_madd_epi16(_mm_unpacklo_epi16(levels0, levels1), parts);
    __m128i high = _mm_madd_epi16(_mm_unpackhi_epi16(levels0, levels1), parts);
    low = _mm_srai_epi32(_mm_add_epi32(low, half), 16);
    high = _mm_srai_epi32(_mm_add_epi32(high, half), 16);
    return _mm_packs_epi32(low, high);
}

INLINE __m128i low_product(__m128i levels, int16_t part) {
    return _mm_mullo_epi16(levels, _mm_set1_epi16(part));
}

INLINE __m128i less(__m128i values, int16_t bound) {
    return _mm_cmpgt_epi16(_mm_set1_epi16(bound), values);
}

// Whole levels and 64ths in one.
INLINE __m128i to_level(__m128i level, __m128i rest) {
    return _mm_add_epi16(level, _mm_srai_epi16(rest, 6));
}

INLINE void ycc_eight(const int16_t *y, const int16_t *cb, const int16_t *cr, uint8_t *output) {
    const __m128i rest_mask = _mm_set1_epi16(63);
    const __m128i gray = _mm_set1_epi16(128);
    // Levels, and beside them 64ths of the way to the next: all fits into 16 bits.
    __m128i blueness = _mm_sub_epi16(_mm_srai_epi16(load(cb), 6), gray);
    __m128i redness = _mm_sub_epi16(_mm_srai_epi16(load(cr), 6), gray);
    __m128i blue_rest = _mm_and_si128(load(cb), rest_mask);
    __m128i red_rest = _mm_and_si128(load(cr), rest_mask);
    __m128i luma = _mm_srai_epi16(load(y), 6);
    __m128i luma_rest = _mm_add_epi16(_mm_and_si128(load(y), rest_mask), _mm_set1_epi16(32));

    __m128i low = low_product(redness, CK_YCC_RED_CR_PART);
    __m128i red = _mm_add_epi16(redness, rounded_product(redness, low, CK_YCC_RED_CR_PART));
    __m128i up = _mm_cmpgt_epi16(low, _mm_set1_epi16(CK_YCC_RED_UP));
    __m128i rest = _mm_add_epi16(red_rest, _mm_and_si128(red_rest, up));
    red = to_level(_mm_add_epi16(luma, red), _mm_add_epi16(luma_rest, rest));

    low = low_product(blueness, CK_YCC_BLUE_CB_PART);
    __m128i twice = _mm_add_epi16(blueness, blueness);
    __m128i blue = _mm_add_epi16(twice, rounded_product(blueness, low, CK_YCC_BLUE_CB_PART));
    // Once where it goes up by 1, else twice.
    rest = _mm_add_epi16(blue_rest, _mm_andnot_si128(less(low, CK_YCC_BLUE_DOWN), blue_rest));
    blue = to_level(_mm_add_epi16(luma, blue), _mm_add_epi16(luma_rest, rest));

    low = _mm_add_epi16(low_product(blueness, CK_YCC_GREEN_CB), low_product(redness, CK_YCC_GREEN_CR_PART));
    __m128i green = rounded_sum(blueness, redness, CK_YCC_GREEN_CB, CK_YCC_GREEN_CR_PART);
    green = _mm_sub_epi16(green, redness);
    __m128i down_blue = less(low, CK_YCC_GREEN_DOWN_CB);
    __m128i down_red = less(low, CK_YCC_GREEN_DOWN_CR);
    // What both together make beyond their sum: -1, 0 or 1 level down.
    __m128i both = _mm_sub_epi16(_mm_add_epi16(down_blue, down_red), less(low, CK_YCC_GREEN_DOWN_BOTH));
    both = _mm_add_epi16(both, _mm_set1_epi16(1));
    rest = _mm_add_epi16(_mm_and_si128(blue_rest, down_blue), _mm_and_si128(red_rest, down_red));
    rest = _mm_slli_epi16(rest, 6);
    rest = _mm_add_epi16(rest, _mm_mullo_epi16(_mm_mullo_epi16(blue_rest, red_rest), both));
    rest = _mm_srai_epi16(_mm_sub_epi16(_mm_set1_epi16(32), rest), 6);
    green = to_level(_mm_add_epi16(luma, green), _mm_add_epi16(luma_rest, rest));

    store_opaque(red, green, blue, output);
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
