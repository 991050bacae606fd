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

// Adds up the four values of each lane, of four vectors in turn. Horizontal additions would take longer.
INLINE __m256i add_lanes(const __m256i *sums) {
    __m256i low = _mm256_add_epi32(_mm256_unpacklo_epi32(sums[0], sums[1]), _mm256_unpackhi_epi32(sums[0], sums[1]));
    __m256i high = _mm256_add_epi32(_mm256_unpacklo_epi32(sums[2], sums[3]), _mm256_unpackhi_epi32(sums[2], sums[3]));
    return _mm256_add_epi32(_mm256_unpacklo_epi64(low, high), _mm256_unpackhi_epi64(low, high));
}

// `8 * eights` samples from pixel `pixel` on, each the sum over all rows of all octets, which stays in registers.
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
        // The last eight pixels, some of them a second time.
        vertical_strip(octets, coefficients, count, half, shift, width - 8, 1, output);
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

// What a product of levels and `part`, in units of 2^-16, is rounded to. Its low bits are known.
INLINE __m256i rounded_product(__m256i levels, __m256i low_bits, int16_t part) {
    __m256i product = _mm256_mulhi_epi16(levels, _mm256_set1_epi16(part));
    return _mm256_sub_epi16(product, _mm256_srai_epi16(low_bits, 15));
}

// The same of a sum of two products.
INLINE __m256i rounded_sum(__m256i levels0, __m256i levels1, int16_t part0, int16_t part1) {
    const __m256i half = _mm256_set1_epi32(CK_YCC_HALF);
    const __m256i parts = _mm256_set1_epi32((int32_t)((uint32_t)(uint16_t)part1 << 16 | (uint16_t)part0));
    __m256i low = _mm256_madd_epi16(_mm256_unpacklo_epi16(levels0, levels1), parts);
    __m256i high = _mm256_madd_epi16(_mm256_unpackhi_epi16(levels0, levels1), parts);
    low = _mm256_srai_epi32(_mm256_add_epi32(low, half), 16);
    high = _mm256_srai_epi32(_mm256_add_epi32(high, half), 16);
    return _mm256_packs_epi32(low, high);
}

INLINE __m256i low_product(__m256i levels, int16_t part) {
    return _mm256_mullo_epi16(levels, _mm256_set1_epi16(part));
}

INLINE __m256i less(__m256i values, int16_t bound) {
    return _mm256_cmpgt_epi16(_mm256_set1_epi16(bound), values);
}

// Whole levels and 64ths in one.
INLINE __m256i to_level(__m256i level, __m256i rest) {
    return _mm256_add_epi16(level, _mm256_srai_epi16(rest, 6));
}

INLINE void ycc_sixteen(const int16_t *y, const int16_t *cb, const int16_t *cr, uint8_t *output) {
    const __m256i rest_mask = _mm256_set1_epi16(63);
    const __m256i gray = _mm256_set1_epi16(128);
    // Levels, and beside them 64ths of the way to the next: all fits into 16 bits.
    __m256i blueness = _mm256_sub_epi16(_mm256_srai_epi16(load(cb), 6), gray);
    __m256i redness = _mm256_sub_epi16(_mm256_srai_epi16(load(cr), 6), gray);
    __m256i blue_rest = _mm256_and_si256(load(cb), rest_mask);
    __m256i red_rest = _mm256_and_si256(load(cr), rest_mask);
    __m256i luma = _mm256_srai_epi16(load(y), 6);
    __m256i luma_rest = _mm256_add_epi16(_mm256_and_si256(load(y), rest_mask), _mm256_set1_epi16(32));

    __m256i low = low_product(redness, CK_YCC_RED_CR_PART);
    __m256i red = _mm256_add_epi16(redness, rounded_product(redness, low, CK_YCC_RED_CR_PART));
    __m256i up = _mm256_cmpgt_epi16(low, _mm256_set1_epi16(CK_YCC_RED_UP));
    __m256i rest = _mm256_add_epi16(red_rest, _mm256_and_si256(red_rest, up));
    red = to_level(_mm256_add_epi16(luma, red), _mm256_add_epi16(luma_rest, rest));

    low = low_product(blueness, CK_YCC_BLUE_CB_PART);
    __m256i twice = _mm256_add_epi16(blueness, blueness);
    __m256i blue = _mm256_add_epi16(twice, rounded_product(blueness, low, CK_YCC_BLUE_CB_PART));
    // Once where it goes up by 1, else twice.
    rest = _mm256_add_epi16(blue_rest, _mm256_andnot_si256(less(low, CK_YCC_BLUE_DOWN), blue_rest));
    blue = to_level(_mm256_add_epi16(luma, blue), _mm256_add_epi16(luma_rest, rest));

    low = _mm256_add_epi16(low_product(blueness, CK_YCC_GREEN_CB), low_product(redness, CK_YCC_GREEN_CR_PART));
    __m256i green = rounded_sum(blueness, redness, CK_YCC_GREEN_CB, CK_YCC_GREEN_CR_PART);
    green = _mm256_sub_epi16(green, redness);
    __m256i down_blue = less(low, CK_YCC_GREEN_DOWN_CB);
    __m256i down_red = less(low, CK_YCC_GREEN_DOWN_CR);
    // What both together make beyond their sum: -1, 0 or 1 level down.
    __m256i both = _mm256_sub_epi16(_mm256_add_epi16(down_blue, down_red), less(low, CK_YCC_GREEN_DOWN_BOTH));
    both = _mm256_add_epi16(both, _mm256_set1_epi16(1));
    rest = _mm256_add_epi16(_mm256_and_si256(blue_rest, down_blue), _mm256_and_si256(red_rest, down_red));
    rest = _mm256_slli_epi16(rest, 6);
    rest = _mm256_add_epi16(rest, _mm256_mullo_epi16(_mm256_mullo_epi16(blue_rest, red_rest), both));
    rest = _mm256_srai_epi16(_mm256_sub_epi16(_mm256_set1_epi16(32), rest), 6);
    green = to_level(_mm256_add_epi16(luma, green), _mm256_add_epi16(luma_rest, rest));

    store_opaque(red, green, blue, output);
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
