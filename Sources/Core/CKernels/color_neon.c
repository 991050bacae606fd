#include "color_variants.h"

#if defined(__aarch64__)

#include <arm_neon.h>
#include <string.h>

enum { CHANNELS = 4, LEVELS8 = 256 };

static inline int16x4_t light(const int32_t *shares, uint64_t pixel) {
    int32x4_t red = vld1q_s32(shares + CHANNELS * (pixel & 255));
    int32x4_t green = vld1q_s32(shares + CHANNELS * (LEVELS8 + (pixel >> 8 & 255)));
    int32x4_t blue = vld1q_s32(shares + CHANNELS * (2 * LEVELS8 + (pixel >> 16 & 255)));
    return vqmovn_s32(vshrq_n_s32(vaddq_s32(vaddq_s32(red, green), blue), CK_COLOR8_FRACTION));
}

static inline uint32_t levels(const ck_color8 *color, uint64_t light, uint32_t pixel) {
    uint32_t red = color->levels[0][light & 0xFFFF];
    uint32_t green = color->levels[1][light >> 16 & 0xFFFF];
    uint32_t blue = color->levels[2][light >> 32 & 0xFFFF];
    return red | green << 8 | blue << 16 | (pixel & 0xFF000000);
}

void ck_convert_color8_neon(const ck_color8 *color, uint8_t *pixels, size_t count) {
    const ck_color8 tables = *color;
    for (; count >= 2; count -= 2, pixels += 2 * CHANNELS) {
        uint64_t pair;
        memcpy(&pair, pixels, sizeof pair);
        // The largest sum that fits into 16 bits is above the maximum.
        int16x8_t both = vcombine_s16(light(tables.shares, pair), light(tables.shares, pair >> 32));
        both = vminq_s16(vmaxq_s16(both, vdupq_n_s16(0)), vdupq_n_s16(CK_COLOR_LIGHT));
        uint64x2_t halves = vreinterpretq_u64_s16(both);
        uint64_t first = levels(&tables, vgetq_lane_u64(halves, 0), (uint32_t)pair);
        uint64_t second = levels(&tables, vgetq_lane_u64(halves, 1), (uint32_t)(pair >> 32));
        pair = first | second << 32;
        memcpy(pixels, &pair, sizeof pair);
    }
    ck_convert_color8_scalar(color, pixels, count);
}

#endif
