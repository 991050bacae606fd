#include "matrix.h"

// A fused multiply-add rounds once less, so results would differ between machines.
#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

// Brings a number into a range. NaN becomes 0, or the end of the range that is nearest to 0.
INLINE float limited(float value, float least, float most) {
    float number = value == value ? value : 0;
    float bounded = number > least ? number : least;
    return bounded < most ? bounded : most;
}

// Maps a pixel. The four channels of the result are computed side by side, which compilers vectorize.
INLINE void map(const float columns[20], const float pixel[4], float sums[4]) {
    for (int channel = 0; channel < 4; channel++) {
        sums[channel] = columns[16 + channel] + columns[channel] * pixel[0] + columns[4 + channel] * pixel[1]
            + columns[8 + channel] * pixel[2] + columns[12 + channel] * pixel[3];
    }
}

// Defines the function for a type of integer levels.
#define DEFINE_MATRIX(NAME, LEVEL, FULL) \
    void NAME(const float matrix[20], const LEVEL *pixels, LEVEL *result, size_t count) { \
        float columns[20]; \
        for (int index = 0; index < 16; index++) columns[index] = matrix[index]; \
        /* Rounding adds one half. */ \
        for (int index = 16; index < 20; index++) columns[index] = matrix[index] * FULL + 0.5f; \
        for (; count > 0; count--, pixels += 4, result += 4) { \
            float pixel[4] = {pixels[0], pixels[1], pixels[2], pixels[3]}; \
            float sums[4]; \
            map(columns, pixel, sums); \
            for (int channel = 0; channel < 4; channel++) { \
                result[channel] = (LEVEL)(int32_t)limited(sums[channel], 0, FULL); \
            } \
        } \
    }

DEFINE_MATRIX(ck_matrix_rgba8, uint8_t, 255.0f)
DEFINE_MATRIX(ck_matrix_rgba16, uint16_t, 65535.0f)

void ck_matrix_rgba_float(const float columns[20], const float *pixels, float *result, size_t count) {
    for (; count > 0; count--, pixels += 4, result += 4) {
        float pixel[4];
        for (int channel = 0; channel < 4; channel++) {
            pixel[channel] = limited(pixels[channel], -CK_MATRIX_LARGEST_LEVEL, CK_MATRIX_LARGEST_LEVEL);
        }
        map(columns, pixel, result);
    }
}
