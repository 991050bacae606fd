#include "planes_variants.h"

#if defined(__aarch64__)

#include <arm_neon.h>

#define INLINE __attribute__((always_inline)) static inline

// Eight samples in units of 1/64, in twos.
INLINE uint32x4_t widen(const uint8_t *samples) {
    return vreinterpretq_u32_u16(vshll_n_u8(vld1_u8(samples), 6));
}

static void pack_four_rows(const uint8_t *const *rows, size_t width, int16_t *packed) {
    size_t pixel = 0;
    // Rows are missing below the end of a plane only: those are left to plain C.
    if (rows[0] != NULL && rows[1] != NULL && rows[2] != NULL && rows[3] != NULL) {
        for (; pixel + 8 <= width; pixel += 8) {
            // The store interleaves what are two samples each.
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

// Four samples from pixel `pixel` on, each the sum over all rows of all octets.
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
    // Not by the shift that rounds, which would not wrap around as plain C does.
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
        // The last four pixels, some of them a second time.
        vertical_four(octets, coefficients, count, half, shift, width - 4, output);
    }
}

INLINE uint8x8_t to_levels(int32x4_t low, int32x4_t high) {
    return vqmovun_s16(vcombine_s16(vmovn_s32(vshrq_n_s32(low, CK_YCC_SHIFT)),
                                    vmovn_s32(vshrq_n_s32(high, CK_YCC_SHIFT))));
}

INLINE void ycc_eight(const int16_t *y, const int16_t *cb, const int16_t *cr, uint8_t *output) {
    int16x8_t luma = vld1q_s16(y), blueness = vld1q_s16(cb), redness = vld1q_s16(cr);
    int32x4_t low = vmull_n_s16(vget_low_s16(luma), CK_YCC_ONE);
    int32x4_t high = vmull_high_n_s16(luma, CK_YCC_ONE);

    int32x4_t half = vdupq_n_s32(CK_YCC_RED);
    int32x4_t low_red = vmlal_n_s16(vaddq_s32(low, half), vget_low_s16(redness), CK_YCC_RED_CR);
    int32x4_t high_red = vmlal_high_n_s16(vaddq_s32(high, half), redness, CK_YCC_RED_CR);

    half = vdupq_n_s32(CK_YCC_GREEN);
    int32x4_t low_green = vmlal_n_s16(vaddq_s32(low, half), vget_low_s16(redness), CK_YCC_GREEN_CR);
    int32x4_t high_green = vmlal_high_n_s16(vaddq_s32(high, half), redness, CK_YCC_GREEN_CR);
    low_green = vmlal_n_s16(low_green, vget_low_s16(blueness), CK_YCC_GREEN_CB);
    high_green = vmlal_high_n_s16(high_green, blueness, CK_YCC_GREEN_CB);

    half = vdupq_n_s32(CK_YCC_BLUE);
    int32x4_t low_blue = vmlal_n_s16(vaddq_s32(low, half), vget_low_s16(blueness), CK_YCC_BLUE_CB);
    int32x4_t high_blue = vmlal_high_n_s16(vaddq_s32(high, half), blueness, CK_YCC_BLUE_CB);

    uint8x8x4_t pixels = {{to_levels(low_red, high_red), to_levels(low_green, high_green),
                           to_levels(low_blue, high_blue), vdup_n_u8(255)}};
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
        // The last eight pixels, some of them a second time.
        pixel = width - 8;
        ycc_eight(y + pixel, cb + pixel, cr + pixel, output + 4 * pixel);
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
