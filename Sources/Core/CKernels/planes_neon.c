#include "planes_variants.h"

#if defined(__aarch64__)

#include <arm_neon.h>

#define INLINE __attribute__((always_inline)) static inline

// Returns eight samples in units of 1/64, in pairs.
INLINE uint32x4_t widen(const uint8_t *samples) {
    return vreinterpretq_u32_u16(vshll_n_u8(vld1_u8(samples), 6));
}

static void pack_four_rows(const uint8_t *const *rows, size_t width, int16_t *packed) {
    size_t pixel = 0;
    // Rows are missing only below the end of a plane. Those are left to plain C.
    if (rows[0] != NULL && rows[1] != NULL && rows[2] != NULL && rows[3] != NULL) {
        for (; pixel + 8 <= width; pixel += 8) {
            // The store interleaves elements of two samples each.
            uint32x4x4_t four = {{widen(rows[0] + pixel), widen(rows[1] + pixel), widen(rows[2] + pixel),
                                  widen(rows[3] + pixel)}};
            vst4q_u32((uint32_t *)(packed + 4 * pixel), four);
        }
    }
    ck_planes_pack_from(rows, pixel, width, packed);
}

void ck_planes_pack8_neon(const uint8_t *const *rows, size_t width, int16_t *packed0, int16_t *packed1) {
    pack_four_rows(rows, width, packed0);
    pack_four_rows(rows + 4, width, packed1);
}

// Filters four samples from pixel `pixel` on, each the sum over all rows of all octets.
INLINE void vertical_four(const int16_t *const *octets, const int16_t *coefficients, size_t count, int32x4_t half,
                          int32x4_t shift, size_t pixel, int16_t *output) {
    int32x4_t sums[4];
    for (int i = 0; i < 4; i++) {
        sums[i] = vdupq_n_s32(0);
    }
    for (size_t octet = 0; octet < count; octet++) {
        int16x8_t weights = vld1q_s16(coefficients + 8 * octet);
        const int16_t *values = octets[octet] + 8 * pixel;
        for (int i = 0; i < 4; i++) {
            int16x8_t eight = vld1q_s16(values + 8 * i);
            sums[i] = vmlal_s16(sums[i], vget_low_s16(eight), vget_low_s16(weights));
            sums[i] = vmlal_high_s16(sums[i], eight, weights);
        }
    }
    int32x4_t four = vpaddq_s32(vpaddq_s32(sums[0], sums[1]), vpaddq_s32(sums[2], sums[3]));
    // Not the rounding shift, which would not wrap around like plain C.
    vst1_s16(output + pixel, vqmovn_s32(vshlq_s32(vaddq_s32(four, half), shift)));
}

void ck_planes_vertical_neon(const int16_t *const *octets, const int16_t *coefficients, size_t count,
                             int32_t precision, size_t width, int16_t *output) {
    if (width < 4) {
        ck_planes_vertical_scalar(octets, coefficients, count, precision, width, output);
        return;
    }
    const int32x4_t half = vdupq_n_s32(1 << (precision - 1));
    const int32x4_t shift = vdupq_n_s32(-precision);
    size_t pixel = 0;
    for (; pixel + 4 <= width; pixel += 4) {
        vertical_four(octets, coefficients, count, half, shift, pixel, output);
    }
    if (pixel < width) {
        // The last four pixels, which may be processed a second time.
        vertical_four(octets, coefficients, count, half, shift, width - 4, output);
    }
}

// Returns the rounded product of levels and `part`, in units of 2^-16.
INLINE int16x8_t rounded_product(int16x8_t levels, int16_t part) {
    return vrshrq_n_s16(vqdmulhq_n_s16(levels, part), 1);
}

// Combines whole levels and 64ths.
INLINE uint8x8_t to_level(int16x8_t level, int16x8_t rest) {
    return vqmovun_s16(vsraq_n_s16(level, rest, 6));
}

INLINE int16x8_t masked(int16x8_t values, uint16x8_t mask) {
    return vandq_s16(values, vreinterpretq_s16_u16(mask));
}

INLINE void ycc_eight(const int16_t *y, const int16_t *cb, const int16_t *cr, uint8_t *output) {
    const int16x8_t rest_mask = vdupq_n_s16(63);
    const int16x8_t gray = vdupq_n_s16(128);
    // Levels, and the 64ths toward the next level: everything fits into 16 bits.
    int16x8_t blueness = vsubq_s16(vshrq_n_s16(vld1q_s16(cb), 6), gray);
    int16x8_t redness = vsubq_s16(vshrq_n_s16(vld1q_s16(cr), 6), gray);
    int16x8_t blue_rest = vandq_s16(vld1q_s16(cb), rest_mask);
    int16x8_t red_rest = vandq_s16(vld1q_s16(cr), rest_mask);
    int16x8_t luma = vshrq_n_s16(vld1q_s16(y), 6);
    int16x8_t luma_rest = vaddq_s16(vandq_s16(vld1q_s16(y), rest_mask), vdupq_n_s16(32));

    int16x8_t low = vmulq_n_s16(redness, CK_YCC_RED_CR_PART);
    int16x8_t red = vaddq_s16(redness, rounded_product(redness, CK_YCC_RED_CR_PART));
    uint16x8_t up = vcgtq_s16(low, vdupq_n_s16(CK_YCC_RED_UP));
    int16x8_t rest = vaddq_s16(red_rest, masked(red_rest, up));
    uint8x8_t red_level = to_level(vaddq_s16(luma, red), vaddq_s16(luma_rest, rest));

    low = vmulq_n_s16(blueness, CK_YCC_BLUE_CB_PART);
    int16x8_t twice = vaddq_s16(blueness, blueness);
    int16x8_t blue = vaddq_s16(twice, rounded_product(blueness, CK_YCC_BLUE_CB_PART));
    // Added once where it goes up by 1, otherwise twice.
    up = vcgeq_s16(low, vdupq_n_s16(CK_YCC_BLUE_DOWN));
    rest = vaddq_s16(blue_rest, masked(blue_rest, up));
    uint8x8_t blue_level = to_level(vaddq_s16(luma, blue), vaddq_s16(luma_rest, rest));

    int32x4_t low_sum = vmull_n_s16(vget_low_s16(blueness), CK_YCC_GREEN_CB);
    int32x4_t high_sum = vmull_high_n_s16(blueness, CK_YCC_GREEN_CB);
    low_sum = vmlal_n_s16(low_sum, vget_low_s16(redness), CK_YCC_GREEN_CR_PART);
    high_sum = vmlal_high_n_s16(high_sum, redness, CK_YCC_GREEN_CR_PART);
    low = vcombine_s16(vmovn_s32(low_sum), vmovn_s32(high_sum));
    int16x8_t green = vcombine_s16(vrshrn_n_s32(low_sum, 16), vrshrn_n_s32(high_sum, 16));
    green = vsubq_s16(green, redness);
    uint16x8_t down_blue = vcltq_s16(low, vdupq_n_s16(CK_YCC_GREEN_DOWN_CB));
    uint16x8_t down_red = vcltq_s16(low, vdupq_n_s16(CK_YCC_GREEN_DOWN_CR));
    uint16x8_t down_both = vcltq_s16(low, vdupq_n_s16(CK_YCC_GREEN_DOWN_BOTH));
    // The difference of both steps together from their sum: -1, 0 or 1 level down.
    int16x8_t both = vreinterpretq_s16_u16(vsubq_u16(vaddq_u16(down_blue, down_red), down_both));
    both = vaddq_s16(both, vdupq_n_s16(1));
    rest = vshlq_n_s16(vaddq_s16(masked(blue_rest, down_blue), masked(red_rest, down_red)), 6);
    rest = vmlaq_s16(rest, vmulq_s16(blue_rest, red_rest), both);
    rest = vshrq_n_s16(vsubq_s16(vdupq_n_s16(32), rest), 6);
    uint8x8_t green_level = to_level(vaddq_s16(luma, green), vaddq_s16(luma_rest, rest));

    uint8x8x4_t pixels = {{red_level, green_level, blue_level, vdup_n_u8(255)}};
    vst4_u8(output, pixels);
}

void ck_planes_ycc_rgba8_neon(const int16_t *y, const int16_t *cb, const int16_t *cr, size_t width, uint8_t *output) {
    if (width < 8) {
        ck_planes_ycc_rgba8_scalar(y, cb, cr, width, output);
        return;
    }
    size_t pixel = 0;
    for (; pixel + 8 <= width; pixel += 8) {
        ycc_eight(y + pixel, cb + pixel, cr + pixel, output + 4 * pixel);
    }
    if (pixel < width) {
        // The last eight pixels, which may be processed a second time.
        pixel = width - 8;
        ycc_eight(y + pixel, cb + pixel, cr + pixel, output + 4 * pixel);
    }
}

// Returns the rounded product with a factor in units of 2^-15.
INLINE int16x8_t product(int16x8_t values, int16_t factor) {
    return vqrdmulhq_n_s16(values, factor);
}

INLINE void limited_eight(const int16_t *y, const int16_t *cb, const int16_t *cr, uint8_t *output) {
    int16x8_t luma = vqsubq_s16(vld1q_s16(y), vdupq_n_s16(CK_LIMITED_BLACK));
    luma = vqaddq_s16(vqaddq_s16(luma, product(luma, CK_LIMITED_Y_PART)), vdupq_n_s16(32));
    int16x8_t blueness = vqsubq_s16(vld1q_s16(cb), vdupq_n_s16(CK_LIMITED_NEUTRAL));
    int16x8_t redness = vqsubq_s16(vld1q_s16(cr), vdupq_n_s16(CK_LIMITED_NEUTRAL));
    int16x8_t red = vqaddq_s16(vqaddq_s16(luma, redness), product(redness, CK_LIMITED_RED_CR_PART));
    int16x8_t green = vqaddq_s16(vqaddq_s16(luma, product(blueness, CK_LIMITED_GREEN_CB)),
                                 product(redness, CK_LIMITED_GREEN_CR));
    int16x8_t blue = vqaddq_s16(vqaddq_s16(luma, vqaddq_s16(blueness, blueness)),
                                product(blueness, CK_LIMITED_BLUE_CB_PART));
    uint8x8x4_t pixels = {{vqshrun_n_s16(red, 6), vqshrun_n_s16(green, 6), vqshrun_n_s16(blue, 6), vdup_n_u8(255)}};
    vst4_u8(output, pixels);
}

void ck_planes_limited_rgba8_neon(const int16_t *y, const int16_t *cb, const int16_t *cr, size_t width,
                                  uint8_t *output) {
    if (width < 8) {
        ck_planes_limited_rgba8_scalar(y, cb, cr, width, output);
        return;
    }
    size_t pixel = 0;
    for (; pixel + 8 <= width; pixel += 8) {
        limited_eight(y + pixel, cb + pixel, cr + pixel, output + 4 * pixel);
    }
    if (pixel < width) {
        // The last eight pixels, which may be processed a second time.
        pixel = width - 8;
        limited_eight(y + pixel, cb + pixel, cr + pixel, output + 4 * pixel);
    }
}

INLINE void gray_eight(const int16_t *y, uint8_t *output) {
    uint8x8_t level = vqrshrun_n_s16(vld1q_s16(y), 6);
    uint8x8x4_t pixels = {{level, level, level, vdup_n_u8(255)}};
    vst4_u8(output, pixels);
}

void ck_planes_gray_rgba8_neon(const int16_t *y, size_t width, uint8_t *output) {
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
