#include "filter_variants.h"

#if defined(__aarch64__)

#include <arm_neon.h>

// Forced, so that every call with a constant filter becomes a separate loop.
#define INLINE __attribute__((always_inline)) static inline

enum { LANES = 16 };

// The distance of left + above - corner from the corner is that of (left - corner) + (above - corner) from 0: the sum
// of both distances if they have the same sign, and else their difference. Sums of more than 255 become 255, at which
// no other distance is greater.
INLINE uint8x16_t nearest(uint8x16_t left, uint8x16_t above, uint8x16_t corner) {
    uint8x16_t from_left = vabdq_u8(above, corner);
    uint8x16_t from_above = vabdq_u8(left, corner);
    uint8x16_t is_same_sign = vceqq_u8(vcgeq_u8(left, corner), vcgeq_u8(above, corner));
    uint8x16_t from_corner =
        vbslq_u8(is_same_sign, vqaddq_u8(from_left, from_above), vabdq_u8(from_left, from_above));
    uint8x16_t chosen = vbslq_u8(vcleq_u8(from_above, from_corner), above, corner);
    return vbslq_u8(vcleq_u8(from_left, vminq_u8(from_above, from_corner)), left, chosen);
}

INLINE uint8x16_t predicted(ck_filter filter, const uint8_t *row, const uint8_t *above, size_t step) {
    switch (filter) {
        case CK_FILTER_SUB: return vld1q_u8(row - step);
        case CK_FILTER_UP: return vld1q_u8(above);
        case CK_FILTER_AVERAGE: return vhaddq_u8(vld1q_u8(row - step), vld1q_u8(above));
        case CK_FILTER_PAETH: return nearest(vld1q_u8(row - step), vld1q_u8(above), vld1q_u8(above - step));
        case CK_FILTER_NONE:
        case CK_FILTER_COUNT: break;
    }
    return vdupq_n_u8(0);
}

INLINE uint64_t filter_row(ck_filter filter, uint8_t *filtered, const uint8_t *row, const uint8_t *above, size_t count,
                           size_t step) {
    size_t place = step < count ? step : count;
    uint64_t sum = ck_filter_part_scalar(filter, filtered, row, above, 0, place, step);
    for (; place + LANES <= count; place += LANES) {
        uint8x16_t value = vsubq_u8(vld1q_u8(row + place), predicted(filter, row + place, above + place, step));
        vst1q_u8(filtered + place, value);
        sum += vaddlvq_u8(vminq_u8(value, vsubq_u8(vdupq_n_u8(0), value)));
    }
    return sum + ck_filter_part_scalar(filter, filtered, row, above, place, count, step);
}

uint64_t ck_filter_row_neon(ck_filter filter, uint8_t *filtered, const uint8_t *row, const uint8_t *above,
                            size_t count, size_t step) {
    switch (filter) {
        case CK_FILTER_SUB: return filter_row(CK_FILTER_SUB, filtered, row, above, count, step);
        case CK_FILTER_UP: return filter_row(CK_FILTER_UP, filtered, row, above, count, step);
        case CK_FILTER_AVERAGE: return filter_row(CK_FILTER_AVERAGE, filtered, row, above, count, step);
        case CK_FILTER_PAETH: return filter_row(CK_FILTER_PAETH, filtered, row, above, count, step);
        default: return filter_row(CK_FILTER_NONE, filtered, row, above, count, step);
    }
}

#endif
