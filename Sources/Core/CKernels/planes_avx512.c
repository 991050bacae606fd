#include "planes_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx512vnni")))
#define INLINE TARGET __attribute__((always_inline)) static inline

// Takes the 16-bit values from the four lanes in turn.
INLINE __m512i take_turns(__m512i lanes) {
    const __m512i turns = _mm512_set_epi16(31, 23, 15, 7, 30, 22, 14, 6, 29, 21, 13, 5, 28, 20, 12, 4, 27, 19, 11, 3,
                                           26, 18, 10, 2, 25, 17, 9, 1, 24, 16, 8, 0);
    return _mm512_permutexvar_epi16(turns, lanes);
}

// Reads the first `present` of 16 pixels from pixel `pixel` on, and packs the first `packed_pixels`. Other pixels are
// zero.
INLINE void pack_strip(const uint8_t *const *rows, size_t pixel, size_t present, size_t packed_pixels,
                       int16_t *packed) {
    __mmask16 taken = (__mmask16)(UINT32_MAX >> (32 - present));
    __m512i samples = _mm512_castsi128_si512(_mm_maskz_loadu_epi8(taken, rows[0] + pixel));
    samples = _mm512_inserti32x4(samples, _mm_maskz_loadu_epi8(taken, rows[1] + pixel), 1);
    samples = _mm512_inserti32x4(samples, _mm_maskz_loadu_epi8(taken, rows[2] + pixel), 2);
    samples = _mm512_inserti32x4(samples, _mm_maskz_loadu_epi8(taken, rows[3] + pixel), 3);
    // Two samples of each row, then the next two.
    samples = take_turns(samples);
    // Scale to units of 1/64.
    __m512i low = _mm512_slli_epi16(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(samples)), 6);
    __m512i high = _mm512_slli_epi16(_mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(samples, 1)), 6);
    uint32_t given = UINT32_MAX >> (32 - packed_pixels);
    _mm512_mask_storeu_epi64(packed + 4 * pixel, (__mmask8)given, low);
    _mm512_mask_storeu_epi64(packed + 4 * pixel + 32, (__mmask8)(given >> 8), high);
}

TARGET static void pack_four_rows(const uint8_t *const *rows, size_t width, int16_t *packed) {
    size_t pixel = 0;
    // Rows are missing only below the end of a plane. Those are left to plain C, like the remaining zeros.
    if (rows[0] != NULL && rows[1] != NULL && rows[2] != NULL && rows[3] != NULL) {
        for (; pixel + 16 <= width; pixel += 16) {
            pack_strip(rows, pixel, 16, 16, packed);
        }
        if (pixel < width) {
            size_t packed_pixels = ck_resize_packed_pixels(width) - pixel;
            pack_strip(rows, pixel, width - pixel, packed_pixels < 16 ? packed_pixels : 16, packed);
            pixel += 16;
        }
    }
    ck_planes_pack_from(rows, pixel, width, packed);
}

TARGET void ck_planes_pack8_avx512(const uint8_t *const *rows, size_t width, int16_t *packed0, int16_t *packed1) {
    pack_four_rows(rows, width, packed0);
    pack_four_rows(rows + 4, width, packed1);
}

INLINE __m512i load(const int16_t *values) {
    return _mm512_loadu_si512(values);
}

// Adds the four values of each lane, for four vectors.
INLINE __m512i add_lanes(const __m512i *sums) {
    __m512i low = _mm512_add_epi32(_mm512_unpacklo_epi32(sums[0], sums[1]), _mm512_unpackhi_epi32(sums[0], sums[1]));
    __m512i high = _mm512_add_epi32(_mm512_unpacklo_epi32(sums[2], sums[3]), _mm512_unpackhi_epi32(sums[2], sums[3]));
    return _mm512_add_epi32(_mm512_unpacklo_epi64(low, high), _mm512_unpackhi_epi64(low, high));
}

// Filters the first `pixels`, up to 32, samples from pixel `pixel` on. The sums over all rows of all octets stay in
// registers.
INLINE void vertical_strip(const int16_t *const *octets, const int16_t *coefficients, size_t count, __m512i half,
                           __m128i shift, size_t pixel, size_t pixels, int16_t *output) {
    // Two bits for the eight values of a pixel.
    uint64_t present = UINT64_MAX >> (64 - 2 * pixels);
    __m512i sums[8];
    for (int i = 0; i < 8; i++) {
        sums[i] = _mm512_setzero_si512();
    }
    for (size_t octet = 0; octet < count; octet++) {
        __m512i weights = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(coefficients + 8 * octet)));
        const int16_t *values = octets[octet] + 8 * pixel;
        for (int i = 0; i < 8; i++) {
            __m512i samples = _mm512_maskz_loadu_epi64((__mmask8)(present >> 8 * i), values + 32 * i);
            sums[i] = _mm512_dpwssd_epi32(sums[i], samples, weights);
        }
    }
    __m512i low = _mm512_sra_epi32(_mm512_add_epi32(add_lanes(sums), half), shift);
    __m512i high = _mm512_sra_epi32(_mm512_add_epi32(add_lanes(sums + 4), half), shift);
    // A lane contains every fourth pixel.
    __m512i samples = take_turns(_mm512_packs_epi32(low, high));
    _mm512_mask_storeu_epi16(output + pixel, (__mmask32)(UINT32_MAX >> (32 - pixels)), samples);
}

TARGET void ck_planes_vertical_avx512(const int16_t *const *octets, const int16_t *coefficients, size_t count,
                                      int32_t precision, size_t width, int16_t *output) {
    const __m512i half = _mm512_set1_epi32(1 << (precision - 1));
    const __m128i shift = _mm_cvtsi32_si128(precision);
    size_t pixel = 0;
    for (; pixel + 32 <= width; pixel += 32) {
        vertical_strip(octets, coefficients, count, half, shift, pixel, 32, output);
    }
    if (pixel < width) {
        vertical_strip(octets, coefficients, count, half, shift, pixel, width - pixel, output);
    }
}

// Converts thirty-two pixels of 16-bit components to bytes with full alpha.
INLINE void store_opaque(__m512i red, __m512i green, __m512i blue, uint8_t *output) {
    __m512i red_blue = _mm512_packus_epi16(red, blue);
    __m512i green_alpha = _mm512_packus_epi16(green, _mm512_set1_epi16(255));
    __m512i red_green = _mm512_unpacklo_epi8(red_blue, green_alpha);
    __m512i blue_alpha = _mm512_unpackhi_epi8(red_blue, green_alpha);
    // Four pixels per lane: the first and the second half of each eight.
    __m512i low = _mm512_unpacklo_epi16(red_green, blue_alpha);
    __m512i high = _mm512_unpackhi_epi16(red_green, blue_alpha);
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    _mm512_storeu_si512(output, _mm512_permutex2var_epi64(low, first, high));
    _mm512_storeu_si512(output + 64, _mm512_permutex2var_epi64(low, second, high));
}

// Returns the rounded product of levels and `part`, in units of 2^-16. The low bits of the product are known.
INLINE __m512i rounded_product(__m512i levels, __m512i low_bits, int16_t part) {
    __m512i product = _mm512_mulhi_epi16(levels, _mm512_set1_epi16(part));
    return _mm512_sub_epi16(product, _mm512_srai_epi16(low_bits, 15));
}

// Returns the rounded sum of two products.
INLINE __m512i rounded_sum(__m512i levels0, __m512i levels1, int16_t part0, int16_t part1) {
    const __m512i half = _mm512_set1_epi32(CK_YCC_HALF);
    const __m512i parts = _mm512_set1_epi32((int32_t)((uint32_t)(uint16_t)part1 << 16 | (uint16_t)part0));
    __m512i low = _mm512_madd_epi16(_mm512_unpacklo_epi16(levels0, levels1), parts);
    __m512i high = _mm512_madd_epi16(_mm512_unpackhi_epi16(levels0, levels1), parts);
    low = _mm512_srai_epi32(_mm512_add_epi32(low, half), 16);
    high = _mm512_srai_epi32(_mm512_add_epi32(high, half), 16);
    return _mm512_packs_epi32(low, high);
}

INLINE __m512i low_product(__m512i levels, int16_t part) {
    return _mm512_mullo_epi16(levels, _mm512_set1_epi16(part));
}

INLINE __mmask32 less(__m512i values, int16_t bound) {
    return _mm512_cmplt_epi16_mask(values, _mm512_set1_epi16(bound));
}

// Combines whole levels and 64ths.
INLINE __m512i to_level(__m512i level, __m512i rest) {
    return _mm512_add_epi16(level, _mm512_srai_epi16(rest, 6));
}

INLINE void ycc_thirty_two(const int16_t *y, const int16_t *cb, const int16_t *cr, uint8_t *output) {
    const __m512i rest_mask = _mm512_set1_epi16(63);
    const __m512i gray = _mm512_set1_epi16(128);
    // Levels, and the 64ths toward the next level: everything fits into 16 bits.
    __m512i blueness = _mm512_sub_epi16(_mm512_srai_epi16(load(cb), 6), gray);
    __m512i redness = _mm512_sub_epi16(_mm512_srai_epi16(load(cr), 6), gray);
    __m512i blue_rest = _mm512_and_si512(load(cb), rest_mask);
    __m512i red_rest = _mm512_and_si512(load(cr), rest_mask);
    __m512i luma = _mm512_srai_epi16(load(y), 6);
    __m512i luma_rest = _mm512_add_epi16(_mm512_and_si512(load(y), rest_mask), _mm512_set1_epi16(32));

    __m512i low = low_product(redness, CK_YCC_RED_CR_PART);
    __m512i red = _mm512_add_epi16(redness, rounded_product(redness, low, CK_YCC_RED_CR_PART));
    __mmask32 up = _mm512_cmpgt_epi16_mask(low, _mm512_set1_epi16(CK_YCC_RED_UP));
    __m512i rest = _mm512_mask_add_epi16(red_rest, up, red_rest, red_rest);
    red = to_level(_mm512_add_epi16(luma, red), _mm512_add_epi16(luma_rest, rest));

    low = low_product(blueness, CK_YCC_BLUE_CB_PART);
    __m512i twice = _mm512_add_epi16(blueness, blueness);
    __m512i blue = _mm512_add_epi16(twice, rounded_product(blueness, low, CK_YCC_BLUE_CB_PART));
    // Added once where it goes up by 1, otherwise twice.
    up = _mm512_cmpge_epi16_mask(low, _mm512_set1_epi16(CK_YCC_BLUE_DOWN));
    rest = _mm512_mask_add_epi16(blue_rest, up, blue_rest, blue_rest);
    blue = to_level(_mm512_add_epi16(luma, blue), _mm512_add_epi16(luma_rest, rest));

    low = _mm512_add_epi16(low_product(blueness, CK_YCC_GREEN_CB), low_product(redness, CK_YCC_GREEN_CR_PART));
    __m512i green = rounded_sum(blueness, redness, CK_YCC_GREEN_CB, CK_YCC_GREEN_CR_PART);
    green = _mm512_sub_epi16(green, redness);
    __mmask32 down_blue = less(low, CK_YCC_GREEN_DOWN_CB);
    __mmask32 down_red = less(low, CK_YCC_GREEN_DOWN_CR);
    __mmask32 down_both = less(low, CK_YCC_GREEN_DOWN_BOTH);
    rest = _mm512_maskz_mov_epi16(down_blue, blue_rest);
    rest = _mm512_slli_epi16(_mm512_mask_add_epi16(rest, down_red, rest, red_rest), 6);
    // The difference of both steps together from their sum: one level down, none, or one level up.
    __m512i both = _mm512_mullo_epi16(blue_rest, red_rest);
    rest = _mm512_mask_add_epi16(rest, _knot_mask32(down_red), rest, both);
    rest = _mm512_mask_sub_epi16(rest, _kandn_mask32(down_both, down_blue), rest, both);
    rest = _mm512_srai_epi16(_mm512_sub_epi16(_mm512_set1_epi16(32), rest), 6);
    green = to_level(_mm512_add_epi16(luma, green), _mm512_add_epi16(luma_rest, rest));

    store_opaque(red, green, blue, output);
}

TARGET void ck_planes_ycc_rgba8_avx512(const int16_t *y, const int16_t *cb, const int16_t *cr, size_t width,
                                       uint8_t *output) {
    if (width < 32) {
        ck_planes_ycc_rgba8_avx2(y, cb, cr, width, output);
        return;
    }
    size_t pixel = 0;
    for (; pixel + 32 <= width; pixel += 32) {
        ycc_thirty_two(y + pixel, cb + pixel, cr + pixel, output + 4 * pixel);
    }
    if (pixel < width) {
        // The last thirty-two pixels, which may be processed a second time.
        pixel = width - 32;
        ycc_thirty_two(y + pixel, cb + pixel, cr + pixel, output + 4 * pixel);
    }
}

#endif
