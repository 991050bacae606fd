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

// Returns the weighted sum of 16 pixels in four columns from `corner` on. Even and odd columns have sums of their own,
// which the variants compute side by side.
INLINE float4 weighted(const float *corner, size_t row, float4 across, float4 down) {
    float4 even[4];
    float4 odd[4];
    for (int y = 0; y < 4; y++, corner += row) {
        even[y] = (load(corner) * across[0] + load(corner + 8) * across[2]) * down[y];
        odd[y] = (load(corner + 4) * across[1] + load(corner + 12) * across[3]) * down[y];
    }
    return ((even[0] + even[1]) + (even[2] + even[3])) + ((odd[0] + odd[1]) + (odd[2] + odd[3]));
}

void ck_sample_cubic_rgba_float_scalar(const float *pixels, size_t width, float x, float y, float dx, float dy,
                                       size_t count, float *output) {
    enum { BATCH = 8 };
    size_t row = width * 4;
    // The weights of a batch are computed first: those of one place depend on each other, and the sums would wait.
    for (size_t start = 0; start < count; start += BATCH) {
        const float *corners[BATCH];
        float4 across[BATCH];
        float4 down[BATCH];
        size_t pixel_count = count - start < BATCH ? count - start : BATCH;
        for (size_t i = 0; i < pixel_count; i++) {
            float column = x + (float)(start + i) * dx;
            float line = y + (float)(start + i) * dy;
            int32_t left = (int32_t)column;
            int32_t top = (int32_t)line;
            across[i] = weights(column - (float)left);
            down[i] = weights(line - (float)top);
            corners[i] = pixels + (size_t)(top - 1) * row + (size_t)(left - 1) * 4;
        }
        for (size_t i = 0; i < pixel_count; i++, output += 4) {
            float4 sum = weighted(corners[i], row, across[i], down[i]);
            memcpy(output, &sum, sizeof sum);
        }
    }
}
