#include <math.h>

#include "linear_variants.h"

#pragma STDC FP_CONTRACT OFF

enum {
    // The number of straight, linear pixels between the two conversions.
    BLOCK = 64,
};

static inline size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static float to_linear(float encoded) {
    float level = fabsf(encoded);
    float linear = level <= 0.04045f ? level / 12.92f : powf((level + 0.055f) / 1.055f, 2.4f);
    return copysignf(linear, encoded);
}

static float from_linear(float linear) {
    float level = fabsf(linear);
    float encoded = level <= 0.0031308f ? level * 12.92f : 1.055f * powf(level, 1.0f / 2.4f) - 0.055f;
    return copysignf(encoded, linear);
}

void ck_resize_pack_rgba16_linear(const uint16_t *row, size_t width, bool opaque, const float *table, float *output) {
    float block[4 * BLOCK];
    for (size_t first = 0; first < width; first += BLOCK) {
        size_t pixels = smaller(BLOCK, width - first);
        const uint16_t *source = row + 4 * first;
        for (size_t i = 0; i < 4 * pixels; i += 4) {
            block[i] = table[source[i]];
            block[i + 1] = table[source[i + 1]];
            block[i + 2] = table[source[i + 2]];
            block[i + 3] = (float)source[i + 3] * (1.0f / 65535.0f);
        }
        ck_resize_pack_rgbaf(block, pixels, opaque, output + 4 * first);
    }
}

void ck_resize_pack_rgbaf_linear(const float *row, size_t width, bool opaque, float *output) {
    float block[4 * BLOCK];
    for (size_t first = 0; first < width; first += BLOCK) {
        size_t pixels = smaller(BLOCK, width - first);
        const float *source = row + 4 * first;
        for (size_t i = 0; i < 4 * pixels; i++) {
            block[i] = i % 4 == 3 ? source[i] : to_linear(source[i]);
        }
        ck_resize_pack_rgbaf(block, pixels, opaque, output + 4 * first);
    }
}

static inline uint16_t to_level(float value) {
    // In this order of operands NaN becomes 0.
    float positive = value > 0.0f ? value : 0.0f;
    return (uint16_t)((positive < 1.0f ? positive : 1.0f) * 65535.0f + 0.5f);
}

void ck_resize_unpack_rgba16_linear(const float *row, size_t width, bool opaque, uint16_t *output) {
    float block[4 * BLOCK];
    for (size_t first = 0; first < width; first += BLOCK) {
        size_t pixels = smaller(BLOCK, width - first);
        uint16_t *target = output + 4 * first;
        ck_resize_unpack_rgbaf(row + 4 * first, pixels, opaque, block);
        for (size_t i = 0; i < 4 * pixels; i += 4) {
            uint16_t alpha = to_level(block[i + 3]);
            for (size_t component = i; component < i + 3; component++) {
                target[component] = alpha == 0 ? 0 : to_level(from_linear(block[component]));
            }
            target[i + 3] = alpha;
        }
    }
}

void ck_resize_unpack_rgbaf_linear(const float *row, size_t width, bool opaque, float *output) {
    ck_resize_unpack_rgbaf(row, width, opaque, output);
    for (size_t i = 0; i < 4 * width; i++) {
        output[i] = i % 4 == 3 ? output[i] : from_linear(output[i]);
    }
}
