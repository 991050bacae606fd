#include "expand_variants.h"

#if defined(__aarch64__)

#include <arm_neon.h>

void ck_expand_rgb8_neon(const uint8_t *row, size_t width, uint8_t *output) {
    size_t x = 0;
    for (; x + 16 <= width; x += 16) {
        uint8x16x3_t pixels = vld3q_u8(row + 3 * x);
        uint8x16x4_t expanded = {{pixels.val[0], pixels.val[1], pixels.val[2], vdupq_n_u8(UINT8_MAX)}};
        vst4q_u8(output + 4 * x, expanded);
    }
    ck_expand_rgb8_scalar(row + 3 * x, width - x, output + 4 * x);
}

#endif
