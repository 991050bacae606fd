#include <string.h>

#include "resize_variants.h"

#pragma STDC FP_CONTRACT OFF

// One pixel, or any four adjacent values, in the vector registers that every supported architecture has. Compilers do
// not reliably find this form in scalar loops. Arithmetic is per element, and so the same on all architectures.
typedef float float4 __attribute__((vector_size(16)));
typedef int32_t int4 __attribute__((vector_size(16)));
typedef uint16_t short4 __attribute__((vector_size(8)));

enum {
    // The number of vectors of the vertical pass that stay in registers over all rows.
    STRIP = 8,
};

static inline float4 load4(const float *values) {
    float4 result;
    memcpy(&result, values, sizeof result);
    return result;
}

static inline void store4(float *values, float4 source) {
    memcpy(values, &source, sizeof source);
}

static inline float4 splat(float value) {
    return (float4){value, value, value, value};
}

static inline float4 clamp4(float4 value, float high) {
    // In this order of operands NaN becomes 0.
    float4 positive = (float4)((int4)value & (value > 0.0f));
    int4 inside = positive < high;
    return (float4)(((int4)positive & inside) | ((int4)splat(high) & ~inside));
}

static inline float4 with_alpha(float4 pixel, float alpha) {
    pixel[3] = alpha;
    return pixel;
}

static inline float4 premultiply(float4 pixel, bool opaque) {
    return opaque ? with_alpha(pixel, 1.0f) : pixel * with_alpha(splat(pixel[3]), 1.0f);
}

void ck_resize_pack_rgba16_scalar(const uint16_t *row, size_t width, bool opaque, float *output) {
    for (size_t i = 0; i < 4 * width; i += 4) {
        short4 pixel;
        memcpy(&pixel, row + i, sizeof pixel);
        store4(output + i, premultiply(__builtin_convertvector(pixel, float4) * (1.0f / 65535.0f), opaque));
    }
}

void ck_resize_pack_rgbaf_scalar(const float *row, size_t width, bool opaque, float *output) {
    for (size_t i = 0; i < 4 * width; i += 4) {
        store4(output + i, premultiply(load4(row + i), opaque));
    }
}

void ck_resize_horizontal_f32_scalar(const float *row, const ck_window_f32 *windows, const float *coefficients,
                                     size_t count, float *output) {
    for (size_t pixel = 0; pixel < count; pixel++) {
        const float *values = row + 4 * (size_t)windows[pixel].start;
        const float *weights = coefficients + windows[pixel].offset;
        size_t taps = (size_t)windows[pixel].taps;
        // Four sums, so that an addition does not wait for the previous one.
        float4 sum0 = {0}, sum1 = {0}, sum2 = {0}, sum3 = {0};
        size_t tap = 0;
        for (; tap + 4 <= taps; tap += 4) {
            sum0 += load4(values + 4 * tap) * weights[tap];
            sum1 += load4(values + 4 * tap + 4) * weights[tap + 1];
            sum2 += load4(values + 4 * tap + 8) * weights[tap + 2];
            sum3 += load4(values + 4 * tap + 12) * weights[tap + 3];
        }
        for (; tap < taps; tap++) {
            sum0 += load4(values + 4 * tap) * weights[tap];
        }
        store4(output + 4 * pixel, (sum0 + sum1) + (sum2 + sum3));
    }
}

void ck_resize_vertical_f32_scalar(const float *const *rows, const float *coefficients, size_t taps, size_t width,
                                   float *output) {
    size_t pixel = 0;
    for (; pixel + STRIP <= width; pixel += STRIP) {
        float4 sums[STRIP] = {{0}};
        for (size_t tap = 0; tap < taps; tap++) {
            const float *values = rows[tap] + 4 * pixel;
            for (int i = 0; i < STRIP; i++) {
                sums[i] += load4(values + 4 * i) * coefficients[tap];
            }
        }
        for (int i = 0; i < STRIP; i++) {
            store4(output + 4 * (pixel + (size_t)i), sums[i]);
        }
    }
    for (; pixel < width; pixel++) {
        float4 sum = {0};
        for (size_t tap = 0; tap < taps; tap++) {
            sum += load4(rows[tap] + 4 * pixel) * coefficients[tap];
        }
        store4(output + 4 * pixel, sum);
    }
}

// Returns color times `scale` divided by alpha, and alpha in 0...1 times `scale`. Color is unusable where alpha is 0.
static inline float4 straighten(float4 pixel, float scale, bool opaque) {
    if (opaque) {
        return with_alpha(pixel, 1.0f) * scale;
    }
    float alpha = clamp4(pixel, 1.0f)[3];
    // An alpha beyond full has scaled color too. Division by the unclamped alpha keeps flat color flat next to
    // transparency.
    float divisor = pixel[3] > 1.0f ? pixel[3] : alpha;
    return with_alpha(pixel, alpha) * scale / with_alpha(splat(divisor), 1.0f);
}

void ck_resize_unpack_rgba16_scalar(const float *row, size_t width, bool opaque, uint16_t *output) {
    for (size_t i = 0; i < 4 * width; i += 4) {
        float4 pixel = clamp4(straighten(load4(row + i), 65535.0f, opaque), 65535.0f) + 0.5f;
        int4 rounded = __builtin_convertvector(pixel, int4);
        int32_t visible = -(rounded[3] != 0);
        short4 result = __builtin_convertvector(rounded & (int4){visible, visible, visible, visible}, short4);
        memcpy(output + i, &result, sizeof result);
    }
}

void ck_resize_unpack_rgbaf_scalar(const float *row, size_t width, bool opaque, float *output) {
    for (size_t i = 0; i < 4 * width; i += 4) {
        float4 pixel = straighten(load4(row + i), 1.0f, opaque);
        int32_t visible = -(pixel[3] > 0.0f);
        store4(output + i, (float4)((int4)pixel & (int4){visible, visible, visible, visible}));
    }
}
