#include "planes_variants.h"

void ck_planes_pack_from(const uint8_t *const *rows, size_t first, size_t width, int16_t *packed) {
    size_t end = ck_resize_packed_pixels(width);
    for (int row = 0; row < 4; row++) {
        const uint8_t *samples = rows[row];
        size_t present = samples == NULL ? 0 : width;
        for (size_t pixel = first; pixel < end; pixel++) {
            packed[8 * (pixel / 2) + 2 * (size_t)row + pixel % 2] =
                (int16_t)(pixel < present ? samples[pixel] * 64 : 0);
        }
    }
}

void ck_planes_pack8_scalar(const uint8_t *const *rows, size_t width, int16_t *packed0, int16_t *packed1) {
    ck_planes_pack_from(rows, 0, width, packed0);
    ck_planes_pack_from(rows + 4, 0, width, packed1);
}

static inline int32_t clamp(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}

void ck_planes_vertical_scalar(const int16_t *const *octets, const int16_t *coefficients, size_t count,
                               int32_t precision, size_t width, int16_t *output) {
    for (size_t pixel = 0; pixel < width; pixel++) {
        // Unsigned, so that it may wrap around like those of the SIMD variants.
        uint32_t sum = (uint32_t)1 << (precision - 1);
        for (size_t octet = 0; octet < count; octet++) {
            for (size_t row = 0; row < 8; row++) {
                sum += (uint32_t)(octets[octet][8 * pixel + row] * coefficients[8 * octet + row]);
            }
        }
        output[pixel] = (int16_t)clamp((int32_t)sum >> precision, INT16_MIN, INT16_MAX);
    }
}

// Rounds the product of a factor and chroma, or a sum of two products, as libjpeg does.
static inline int32_t to_level(int32_t product) {
    return (product + CK_YCC_HALF) >> 16;
}

// Interpolates between two values, `t` 64ths of the way; in units of 1/64.
static inline int32_t between(int32_t from, int32_t to, int32_t t) {
    return from * (64 - t) + to * t;
}

static inline int32_t offset(int32_t factor, int32_t level, int32_t t) {
    return between(to_level(factor * level), to_level(factor * (level + 1)), t);
}

static inline int32_t green_offset(int32_t cb, int32_t t, int32_t cr) {
    int32_t redness = CK_YCC_GREEN_CR * cr;
    return between(to_level(CK_YCC_GREEN_CB * cb + redness), to_level(CK_YCC_GREEN_CB * (cb + 1) + redness), t);
}

void ck_planes_ycc_rgba8_scalar(const int16_t *y, const int16_t *cb, const int16_t *cr, size_t width,
                                uint8_t *output) {
    for (size_t pixel = 0; pixel < width; pixel++, output += 4) {
        int32_t blueness = (cb[pixel] >> 6) - 128;
        int32_t redness = (cr[pixel] >> 6) - 128;
        int32_t blue_t = cb[pixel] & 63;
        int32_t red_t = cr[pixel] & 63;
        int32_t green = between(green_offset(blueness, blue_t, redness), green_offset(blueness, blue_t, redness + 1),
                                red_t);
        output[0] = (uint8_t)clamp((y[pixel] + offset(CK_YCC_RED_CR, redness, red_t) + 32) >> 6, 0, 255);
        output[1] = (uint8_t)clamp((y[pixel] + ((green + 32) >> 6) + 32) >> 6, 0, 255);
        output[2] = (uint8_t)clamp((y[pixel] + offset(CK_YCC_BLUE_CB, blueness, blue_t) + 32) >> 6, 0, 255);
        output[3] = 255;
    }
}

// Saturates like the 16-bit registers of the SIMD variants.
static inline int32_t saturated(int32_t value) {
    return clamp(value, INT16_MIN, INT16_MAX);
}

static inline int32_t sum(int32_t one, int32_t other) {
    return saturated(one + other);
}

// Returns the rounded product with a factor in units of 2^-15.
static inline int32_t product(int32_t value, int32_t factor) {
    return (value * factor + (1 << 14)) >> 15;
}

void ck_planes_limited_rgba8_scalar(const int16_t *y, const int16_t *cb, const int16_t *cr, size_t width,
                                    uint8_t *output) {
    for (size_t pixel = 0; pixel < width; pixel++, output += 4) {
        int32_t luma = saturated(y[pixel] - CK_LIMITED_BLACK);
        luma = sum(sum(luma, product(luma, CK_LIMITED_Y_PART)), 32);
        int32_t blueness = saturated(cb[pixel] - CK_LIMITED_NEUTRAL);
        int32_t redness = saturated(cr[pixel] - CK_LIMITED_NEUTRAL);
        int32_t red = sum(sum(luma, redness), product(redness, CK_LIMITED_RED_CR_PART));
        int32_t green = sum(sum(luma, product(blueness, CK_LIMITED_GREEN_CB)), product(redness, CK_LIMITED_GREEN_CR));
        int32_t blue = sum(sum(luma, sum(blueness, blueness)), product(blueness, CK_LIMITED_BLUE_CB_PART));
        output[0] = (uint8_t)clamp(red >> 6, 0, 255);
        output[1] = (uint8_t)clamp(green >> 6, 0, 255);
        output[2] = (uint8_t)clamp(blue >> 6, 0, 255);
        output[3] = 255;
    }
}

void ck_planes_gray_rgba8_scalar(const int16_t *y, size_t width, uint8_t *output) {
    for (size_t pixel = 0; pixel < width; pixel++, output += 4) {
        uint8_t level = (uint8_t)clamp((y[pixel] + 32) >> 6, 0, 255);
        output[0] = level;
        output[1] = level;
        output[2] = level;
        output[3] = 255;
    }
}
