#include "unfilter_variants.h"

#if defined(__aarch64__)

#include <arm_neon.h>
#include <string.h>

// Forced, so that every call with a constant step becomes a separate loop.
#define INLINE __attribute__((always_inline)) static inline

// A pixel depends on the one before it, so pixels are processed one by one, with all their bytes at once. Eight bytes
// may be read at a pixel that is followed by enough bytes; the loops over the last pixels read no byte too many.

// Loads a pixel of `step` bytes. With `reads_on`, bytes of the next pixels may be read, and are in the result.
INLINE uint8x8_t load(const uint8_t *pixel, size_t step, int reads_on) {
    if (step == 8 || reads_on) return vld1_u8(pixel);
    uint64_t bytes = 0;
    memcpy(&bytes, pixel, step);
    return vcreate_u8(bytes);
}

INLINE void store(uint8_t *pixel, uint8x8_t value, size_t step) {
    uint64_t bytes = vget_lane_u64(vreinterpret_u64_u8(value), 0);
    memcpy(pixel, &bytes, step);
}

// Each of these functions undoes the filter of a pixel, and updates the pixels that the next one needs. The speed
// depends on the number of instructions from one pixel to the next.

INLINE void undo_sub_pixel(uint8_t *pixel, size_t step, int reads_on, uint8x8_t *left) {
    *left = vadd_u8(load(pixel, step, reads_on), *left);
    store(pixel, *left, step);
}

INLINE void undo_average_pixel(uint8_t *pixel, const uint8_t *above, size_t step, int reads_on, uint8x8_t *left) {
    uint8x8_t average = vhadd_u8(*left, load(above, step, reads_on));
    *left = vadd_u8(load(pixel, step, reads_on), average);
    store(pixel, *left, step);
}

// Of left, up and corner, the specification takes the one that is nearest to left + up - corner. Let bound be
// 3 * corner - left - up. If bound is at most the smaller of left and up, the larger one is the nearest. Otherwise, if
// bound is at least the larger one, the smaller one is the nearest. Otherwise the corner is. Ties are decided as
// specified: left before up, and up before the corner.
INLINE void undo_paeth_pixel(uint8_t *pixel, const uint8_t *above, size_t step, int reads_on, int16x8_t *left,
                             int16x8_t *corner) {
    int16x8_t up = vreinterpretq_s16_u16(vmovl_u8(load(above, step, reads_on)));
    int16x8_t bound = vsubq_s16(vsubq_s16(vmulq_n_s16(*corner, 3), up), *left);
    int16x8_t smaller = vminq_s16(*left, up);
    int16x8_t larger = vmaxq_s16(*left, up);
    int16x8_t nearest = vbslq_s16(vcgtq_s16(larger, bound), *corner, smaller);
    nearest = vbslq_s16(vcgtq_s16(bound, smaller), nearest, larger);
    uint8x8_t result = vadd_u8(load(pixel, step, reads_on), vmovn_u16(vreinterpretq_u16_s16(nearest)));
    *left = vreinterpretq_s16_u16(vmovl_u8(result));
    *corner = up;
    store(pixel, result, step);
}

INLINE void undo_sub(uint8_t *row, size_t count, size_t step) {
    uint8x8_t left = vdup_n_u8(0);
    size_t place = 0;
    for (; place + 8 <= count; place += step) undo_sub_pixel(row + place, step, 1, &left);
    for (; place < count; place += step) undo_sub_pixel(row + place, step, 0, &left);
}

INLINE void undo_average(uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    uint8x8_t left = vdup_n_u8(0);
    size_t place = 0;
    for (; place + 8 <= count; place += step) undo_average_pixel(row + place, above + place, step, 1, &left);
    for (; place < count; place += step) undo_average_pixel(row + place, above + place, step, 0, &left);
}

INLINE void undo_paeth(uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    int16x8_t left = vdupq_n_s16(0);
    int16x8_t corner = vdupq_n_s16(0);
    size_t place = 0;
    for (; place + 8 <= count; place += step) undo_paeth_pixel(row + place, above + place, step, 1, &left, &corner);
    for (; place < count; place += step) undo_paeth_pixel(row + place, above + place, step, 0, &left, &corner);
}

void ck_unfilter_sub_neon(uint8_t *row, size_t count, size_t step) {
    switch (step) {
        case 1: undo_sub(row, count, 1); break;
        case 2: undo_sub(row, count, 2); break;
        case 3: undo_sub(row, count, 3); break;
        case 4: undo_sub(row, count, 4); break;
        case 6: undo_sub(row, count, 6); break;
        default: undo_sub(row, count, 8);
    }
}

void ck_unfilter_average_neon(uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    switch (step) {
        case 1: undo_average(row, above, count, 1); break;
        case 2: undo_average(row, above, count, 2); break;
        case 3: undo_average(row, above, count, 3); break;
        case 4: undo_average(row, above, count, 4); break;
        case 6: undo_average(row, above, count, 6); break;
        default: undo_average(row, above, count, 8);
    }
}

void ck_unfilter_paeth_neon(uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    switch (step) {
        case 1: undo_paeth(row, above, count, 1); break;
        case 2: undo_paeth(row, above, count, 2); break;
        case 3: undo_paeth(row, above, count, 3); break;
        case 4: undo_paeth(row, above, count, 4); break;
        case 6: undo_paeth(row, above, count, 6); break;
        default: undo_paeth(row, above, count, 8);
    }
}

#endif
