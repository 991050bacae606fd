#include "sample_variants.h"

#include <string.h>

// A fused multiply-add rounds once less, so results would differ between machines.
#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

// The four channels of a pixel, or the four weights along an axis. Vectors of this compiler extension exist for every
// target.
typedef float float4 __attribute__((vector_size(16)));

// Returns the weights of the pixels at -1, 0, 1 and 2 for a place from 0 up to 1.
INLINE float4 weights(float place) {
    const float4 cubes = {-0.5f, 1.5f, -1.5f, 0.5f};
    const float4 squares = {1, -2.5f, 2, -0.5f};
    const float4 linears = {-0.5f, 0, 0.5f, 0};
    const float4 constants = {0, 1, 0, 0};
    float4 t = {place, place, place, place};
    return ((cubes * t + squares) * t + linears) * t + constants;
}

INLINE float4 load(const float *pixel) {
    float4 value;
    memcpy(&value, pixel, sizeof value);
    return value;
}

// Returns the weighted sum of four pixels of a row.
INLINE float4 along_row(const float *pixels, float4 w) {
    float4 left = load(pixels) * w[0] + load(pixels + 4) * w[1];
    float4 right = load(pixels + 8) * w[2] + load(pixels + 12) * w[3];
    return left + right;
}

void ck_sample_cubic_rgba_float_scalar(const float *pixels, size_t width, float x, float y, float dx, float dy,
                                       size_t count, float *output) {
    size_t row = width * 4;
    for (size_t i = 0; i < count; i++, output += 4) {
        float column = x + (float)i * dx;
        float line = y + (float)i * dy;
        int32_t left = (int32_t)column;
        int32_t top = (int32_t)line;
        float4 across = weights(column - (float)left);
        float4 down = weights(line - (float)top);
        const float *corner = pixels + (size_t)(top - 1) * row + (size_t)(left - 1) * 4;
        float4 upper = along_row(corner, across) * down[0] + along_row(corner + row, across) * down[1];
        float4 lower = along_row(corner + 2 * row, across) * down[2] + along_row(corner + 3 * row, across) * down[3];
        float4 sum = upper + lower;
        memcpy(output, &sum, sizeof sum);
    }
}
