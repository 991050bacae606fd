/// The common parts of the SSE4.1 and AVX2 variants of planes.h, which differ only in the length of a register.
///
/// The including file defines
/// - TARGET, the instruction set, and INLINE; VARIANT(name), the variant of the public function of that name;
/// - `vec`, the type of a register of LANES 16-bit values; OP(name) and BITS(name), the intrinsics of that name for
///   numbers and for all bits;
/// - `load`, `store_four`, which packs 4 pixels of 4 rows, and `store_pixels`, which stores pixels in order.
#ifndef CK_PLANES_X86_H
#define CK_PLANES_X86_H

INLINE __m128i load_bytes(const uint8_t *samples) {
    return _mm_loadu_si128((const __m128i *)samples);
}

TARGET static void pack_four_rows(const uint8_t *const *rows, size_t width, int16_t *packed) {
    size_t pixel = 0;
    // Rows are missing only below the end of a plane. Those are left to plain C.
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

TARGET void VARIANT(pack8)(const uint8_t *const *rows, size_t width, int16_t *packed0, int16_t *packed1) {
    pack_four_rows(rows, width, packed0);
    pack_four_rows(rows + 4, width, packed1);
}

// Converts pixels of 16-bit components to bytes with full alpha.
INLINE void store_opaque(vec red, vec green, vec blue, uint8_t *output) {
    vec red_blue = OP(packus_epi16)(red, blue);
    vec green_alpha = OP(packus_epi16)(green, OP(set1_epi16)(255));
    vec red_green = OP(unpacklo_epi8)(red_blue, green_alpha);
    vec blue_alpha = OP(unpackhi_epi8)(red_blue, green_alpha);
    store_pixels(OP(unpacklo_epi16)(red_green, blue_alpha), OP(unpackhi_epi16)(red_green, blue_alpha), output);
}

// Returns the rounded product of levels and `part`, in units of 2^-16. The low bits of the product are known.
INLINE vec rounded_product(vec levels, vec low_bits, int16_t part) {
    vec product = OP(mulhi_epi16)(levels, OP(set1_epi16)(part));
    return OP(sub_epi16)(product, OP(srai_epi16)(low_bits, 15));
}

// Returns the rounded sum of two products.
INLINE vec rounded_sum(vec levels0, vec levels1, int16_t part0, int16_t part1) {
    const vec half = OP(set1_epi32)(CK_YCC_HALF);
    const vec parts = OP(set1_epi32)((int32_t)((uint32_t)(uint16_t)part1 << 16 | (uint16_t)part0));
    vec low = OP(madd_epi16)(OP(unpacklo_epi16)(levels0, levels1), parts);
    vec high = OP(madd_epi16)(OP(unpackhi_epi16)(levels0, levels1), parts);
    low = OP(srai_epi32)(OP(add_epi32)(low, half), 16);
    high = OP(srai_epi32)(OP(add_epi32)(high, half), 16);
    return OP(packs_epi32)(low, high);
}

INLINE vec low_product(vec levels, int16_t part) {
    return OP(mullo_epi16)(levels, OP(set1_epi16)(part));
}

INLINE vec less(vec values, int16_t bound) {
    return OP(cmpgt_epi16)(OP(set1_epi16)(bound), values);
}

// Combines whole levels and 64ths.
INLINE vec to_level(vec level, vec rest) {
    return OP(add_epi16)(level, OP(srai_epi16)(rest, 6));
}

INLINE void ycc_pixels(const int16_t *y, const int16_t *cb, const int16_t *cr, uint8_t *output) {
    const vec rest_mask = OP(set1_epi16)(63);
    const vec gray = OP(set1_epi16)(128);
    // Levels, and the 64ths toward the next level: everything fits into 16 bits.
    vec blueness = OP(sub_epi16)(OP(srai_epi16)(load(cb), 6), gray);
    vec redness = OP(sub_epi16)(OP(srai_epi16)(load(cr), 6), gray);
    vec blue_rest = BITS(and)(load(cb), rest_mask);
    vec red_rest = BITS(and)(load(cr), rest_mask);
    vec luma = OP(srai_epi16)(load(y), 6);
    vec luma_rest = OP(add_epi16)(BITS(and)(load(y), rest_mask), OP(set1_epi16)(32));

    vec low = low_product(redness, CK_YCC_RED_CR_PART);
    vec red = OP(add_epi16)(redness, rounded_product(redness, low, CK_YCC_RED_CR_PART));
    vec up = OP(cmpgt_epi16)(low, OP(set1_epi16)(CK_YCC_RED_UP));
    vec rest = OP(add_epi16)(red_rest, BITS(and)(red_rest, up));
    red = to_level(OP(add_epi16)(luma, red), OP(add_epi16)(luma_rest, rest));

    low = low_product(blueness, CK_YCC_BLUE_CB_PART);
    vec twice = OP(add_epi16)(blueness, blueness);
    vec blue = OP(add_epi16)(twice, rounded_product(blueness, low, CK_YCC_BLUE_CB_PART));
    // Added once where it goes up by 1, otherwise twice.
    rest = OP(add_epi16)(blue_rest, BITS(andnot)(less(low, CK_YCC_BLUE_DOWN), blue_rest));
    blue = to_level(OP(add_epi16)(luma, blue), OP(add_epi16)(luma_rest, rest));

    low = OP(add_epi16)(low_product(blueness, CK_YCC_GREEN_CB), low_product(redness, CK_YCC_GREEN_CR_PART));
    vec green = rounded_sum(blueness, redness, CK_YCC_GREEN_CB, CK_YCC_GREEN_CR_PART);
    green = OP(sub_epi16)(green, redness);
    vec down_blue = less(low, CK_YCC_GREEN_DOWN_CB);
    vec down_red = less(low, CK_YCC_GREEN_DOWN_CR);
    // The difference of both steps together from their sum: -1, 0 or 1 level down.
    vec both = OP(sub_epi16)(OP(add_epi16)(down_blue, down_red), less(low, CK_YCC_GREEN_DOWN_BOTH));
    both = OP(add_epi16)(both, OP(set1_epi16)(1));
    rest = OP(add_epi16)(BITS(and)(blue_rest, down_blue), BITS(and)(red_rest, down_red));
    rest = OP(slli_epi16)(rest, 6);
    rest = OP(add_epi16)(rest, OP(mullo_epi16)(OP(mullo_epi16)(blue_rest, red_rest), both));
    rest = OP(srai_epi16)(OP(sub_epi16)(OP(set1_epi16)(32), rest), 6);
    green = to_level(OP(add_epi16)(luma, green), OP(add_epi16)(luma_rest, rest));

    store_opaque(red, green, blue, output);
}

TARGET void VARIANT(ycc_rgba8)(const int16_t *y, const int16_t *cb, const int16_t *cr, size_t width, uint8_t *output) {
    if (width < LANES) {
        ck_planes_ycc_rgba8_scalar(y, cb, cr, width, output);
        return;
    }
    size_t pixel = 0;
    for (; pixel + LANES <= width; pixel += LANES) {
        ycc_pixels(y + pixel, cb + pixel, cr + pixel, output + 4 * pixel);
    }
    if (pixel < width) {
        // The last pixels, which may be processed a second time.
        pixel = width - LANES;
        ycc_pixels(y + pixel, cb + pixel, cr + pixel, output + 4 * pixel);
    }
}

INLINE vec sum(vec one, vec other) {
    return OP(adds_epi16)(one, other);
}

// Returns the rounded product with a factor in units of 2^-15.
INLINE vec product(vec values, int16_t factor) {
    return OP(mulhrs_epi16)(values, OP(set1_epi16)(factor));
}

INLINE void limited_pixels(const int16_t *y, const int16_t *cb, const int16_t *cr, uint8_t *output) {
    vec luma = OP(subs_epi16)(load(y), OP(set1_epi16)(CK_LIMITED_BLACK));
    luma = sum(sum(luma, product(luma, CK_LIMITED_Y_PART)), OP(set1_epi16)(32));
    vec blueness = OP(subs_epi16)(load(cb), OP(set1_epi16)(CK_LIMITED_NEUTRAL));
    vec redness = OP(subs_epi16)(load(cr), OP(set1_epi16)(CK_LIMITED_NEUTRAL));
    vec red = sum(sum(luma, redness), product(redness, CK_LIMITED_RED_CR_PART));
    vec green = sum(sum(luma, product(blueness, CK_LIMITED_GREEN_CB)), product(redness, CK_LIMITED_GREEN_CR));
    vec blue = sum(sum(luma, sum(blueness, blueness)), product(blueness, CK_LIMITED_BLUE_CB_PART));
    store_opaque(OP(srai_epi16)(red, 6), OP(srai_epi16)(green, 6), OP(srai_epi16)(blue, 6), output);
}

TARGET void VARIANT(limited_rgba8)(const int16_t *y, const int16_t *cb, const int16_t *cr, size_t width,
                                   uint8_t *output) {
    if (width < LANES) {
        ck_planes_limited_rgba8_scalar(y, cb, cr, width, output);
        return;
    }
    size_t pixel = 0;
    for (; pixel + LANES <= width; pixel += LANES) {
        limited_pixels(y + pixel, cb + pixel, cr + pixel, output + 4 * pixel);
    }
    if (pixel < width) {
        // The last pixels, which may be processed a second time.
        pixel = width - LANES;
        limited_pixels(y + pixel, cb + pixel, cr + pixel, output + 4 * pixel);
    }
}

INLINE void gray_pixels(const int16_t *y, uint8_t *output) {
    // Saturated far above the values that become 255.
    vec level = OP(srai_epi16)(OP(adds_epi16)(load(y), OP(set1_epi16)(32)), 6);
    store_opaque(level, level, level, output);
}

TARGET void VARIANT(gray_rgba8)(const int16_t *y, size_t width, uint8_t *output) {
    if (width < LANES) {
        ck_planes_gray_rgba8_scalar(y, width, output);
        return;
    }
    size_t pixel = 0;
    for (; pixel + LANES <= width; pixel += LANES) {
        gray_pixels(y + pixel, output + 4 * pixel);
    }
    if (pixel < width) {
        gray_pixels(y + width - LANES, output + 4 * (width - LANES));
    }
}

#endif
