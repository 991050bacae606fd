#include "unfilter_variants.h"

#if defined(__aarch64__)

#include <arm_neon.h>
#include <string.h>

// Forced, so that every call with a constant step becomes a separate loop.
#define INLINE __attribute__((always_inline)) static inline

// A pixel depends on the one before it, so pixels are processed one by one, with all their bytes at once.

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

INLINE void undo_sub(uint8_t *row, size_t count, size_t step) {
    uint8x8_t left = vdup_n_u8(0);
    for (size_t place = 0; place < count; place += step) {
        left = vadd_u8(load(row + place, step, place + 8 <= count), left);
        store(row + place, left, step);
    }
}

INLINE void undo_average(uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    uint8x8_t left = vdup_n_u8(0);
    for (size_t place = 0; place < count; place += step) {
        int reads_on = place + 8 <= count;
        uint8x8_t average = vhadd_u8(left, load(above + place, step, reads_on));
        left = vadd_u8(load(row + place, step, reads_on), average);
        store(row + place, left, step);
    }
}

INLINE void undo_paeth(uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    uint8x8_t left = vdup_n_u8(0);
    uint8x8_t corner = vdup_n_u8(0);
    for (size_t place = 0; place < count; place += step) {
        int reads_on = place + 8 <= count;
        uint8x8_t up = load(above + place, step, reads_on);
        uint16x8_t from_left = vabdl_u8(up, corner);
        uint16x8_t from_up = vabdl_u8(left, corner);
        uint16x8_t from_corner = vabdq_u16(vaddl_u8(left, up), vaddl_u8(corner, corner));
        // In a tie, left is preferred to up, and up to the corner.
        uint8x8_t is_left = vmovn_u16(vandq_u16(vcleq_u16(from_left, from_up), vcleq_u16(from_left, from_corner)));
        uint8x8_t is_up = vmovn_u16(vcleq_u16(from_up, from_corner));
        uint8x8_t nearest = vbsl_u8(is_left, left, vbsl_u8(is_up, up, corner));
        left = vadd_u8(load(row + place, step, reads_on), nearest);
        corner = up;
        store(row + place, left, step);
    }
}

void ck_unfilter_sub_neon(uint8_t *row, size_t count, size_t step) {
    switch (step) {
        case 3: undo_sub(row, count, 3); break;
        case 4: undo_sub(row, count, 4); break;
        case 6: undo_sub(row, count, 6); break;
        default: undo_sub(row, count, 8);
    }
}

void ck_unfilter_average_neon(uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    switch (step) {
        case 3: undo_average(row, above, count, 3); break;
        case 4: undo_average(row, above, count, 4); break;
        case 6: undo_average(row, above, count, 6); break;
        default: undo_average(row, above, count, 8);
    }
}

void ck_unfilter_paeth_neon(uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    switch (step) {
        case 3: undo_paeth(row, above, count, 3); break;
        case 4: undo_paeth(row, above, count, 4); break;
        case 6: undo_paeth(row, above, count, 6); break;
        default: undo_paeth(row, above, count, 8);
    }
}

#endif
