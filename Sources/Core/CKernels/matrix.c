#include "matrix.h"

// A fused multiply-add rounds once less, so results would differ between machines.
#pragma STDC FP_CONTRACT OFF

// The four channels of the result are computed side by side, which compilers vectorize.
#define MAP(PIXEL, SUMS) \
    do { \
        for (int channel = 0; channel < 4; channel++) { \
            (SUMS)[channel] = columns[16 + channel] + columns[channel] * (PIXEL)[0] \
                + columns[4 + channel] * (PIXEL)[1] + columns[8 + channel] * (PIXEL)[2] \
                + columns[12 + channel] * (PIXEL)[3]; \
        } \
    } while (0)

static inline float limited(float value, float full) {
    float bounded = value > 0 ? value : 0;
    return bounded < full ? bounded : full;
}

// Returns the columns for pixels whose full level is `full`, with one half added for rounding.
static void scale(const float columns[20], float full, float scaled[20]) {
    for (int index = 0; index < 16; index++) scaled[index] = columns[index];
    for (int index = 16; index < 20; index++) scaled[index] = columns[index] * full + 0.5f;
}

void ck_matrix_rgba8(const float matrix[20], const uint8_t *pixels, uint8_t *result, size_t count) {
    float columns[20];
    scale(matrix, 255, columns);
    for (; count > 0; count--, pixels += 4, result += 4) {
        float pixel[4] = {pixels[0], pixels[1], pixels[2], pixels[3]};
        float sums[4];
        MAP(pixel, sums);
        for (int channel = 0; channel < 4; channel++) result[channel] = (uint8_t)(int32_t)limited(sums[channel], 255);
    }
}

void ck_matrix_rgba16(const float matrix[20], const uint16_t *pixels, uint16_t *result, size_t count) {
    float columns[20];
    scale(matrix, 65535, columns);
    for (; count > 0; count--, pixels += 4, result += 4) {
        float pixel[4] = {pixels[0], pixels[1], pixels[2], pixels[3]};
        float sums[4];
        MAP(pixel, sums);
        for (int channel = 0; channel < 4; channel++) {
            result[channel] = (uint16_t)(int32_t)limited(sums[channel], 65535);
        }
    }
}

void ck_matrix_rgba_float(const float columns[20], const float *pixels, float *result, size_t count) {
    for (; count > 0; count--, pixels += 4, result += 4) {
        float pixel[4] = {pixels[0], pixels[1], pixels[2], pixels[3]};
        float sums[4];
        MAP(pixel, sums);
        for (int channel = 0; channel < 4; channel++) result[channel] = sums[channel];
    }
}
