#include "CPNGShim.h"

#ifdef CALOTYPE_PNG

#include "packing.h"

#include <string.h>

// There is one loop for each number of channels, because a common loop would branch for each sample.

/// Packs the colors of pixels, two pixels at a time, as long as eight bytes can be written for their six.
static void pack_rgb(uint8_t *target, const uint8_t *pixel, size_t width) {
    size_t x = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (; x + 3 <= width; x += 2) {
        uint64_t pair;
        memcpy(&pair, pixel + 4 * x, sizeof pair);
        // The first pixel is in the lower half.
        pair = (pair & UINT64_C(0xFFFFFF)) | (pair >> 8 & UINT64_C(0xFFFFFF000000));
        memcpy(target + 3 * x, &pair, sizeof pair);
    }
#endif
    for (; x < width; x++) memcpy(target + 3 * x, pixel + 4 * x, 3);
}

static void pack8(uint8_t *target, const uint8_t *pixel, size_t width, int channels) {
    switch (channels) {
        case 1:
            for (size_t x = 0; x < width; x++) target[x] = pixel[4 * x];
            break;
        case 2:
            for (size_t x = 0; x < width; x++) {
                target[2 * x] = pixel[4 * x];
                target[2 * x + 1] = pixel[4 * x + 3];
            }
            break;
        case 3: pack_rgb(target, pixel, width); break;
        default: memcpy(target, pixel, 4 * width);
    }
}

static void put16(uint8_t *target, uint16_t value) {
    target[0] = (uint8_t)(value >> 8);
    target[1] = (uint8_t)value;
}

static void pack16(uint8_t *target, const uint16_t *pixel, size_t width, int channels) {
    switch (channels) {
        case 1:
            for (size_t x = 0; x < width; x++) put16(target + 2 * x, pixel[4 * x]);
            break;
        case 2:
            for (size_t x = 0; x < width; x++) {
                put16(target + 4 * x, pixel[4 * x]);
                put16(target + 4 * x + 2, pixel[4 * x + 3]);
            }
            break;
        case 3:
            for (size_t x = 0; x < width; x++) {
                put16(target + 6 * x, pixel[4 * x]);
                put16(target + 6 * x + 2, pixel[4 * x + 1]);
                put16(target + 6 * x + 4, pixel[4 * x + 2]);
            }
            break;
        default:
            for (size_t sample = 0; sample < 4 * width; sample++) put16(target + 2 * sample, pixel[sample]);
    }
}

static void pack_float(uint8_t *target, const float *pixel, size_t width, int channels) {
    // The four channels of a pixel are first rounded from float to 16 bits and then packed like all others.
    for (size_t x = 0; x < width; x++, pixel += 4, target += 2 * channels) {
        uint16_t rounded[4];
        for (int channel = 0; channel < 4; channel++) {
            float value = pixel[channel];
            // The order of comparisons turns NaN into 0.
            float clamped = value > 0 ? (value < 1 ? value : 1) : 0;
            rounded[channel] = (uint16_t)(clamped * 65535.0f + 0.5f);
        }
        pack16(target, rounded, 1, channels);
    }
}

void cpng_pack(uint8_t *target, const void *row, size_t width, cpng_source source, int channels) {
    switch (source) {
        case CPNG_RGBA8: pack8(target, row, width, channels); break;
        case CPNG_RGBA16: pack16(target, row, width, channels); break;
        case CPNG_RGBA_FLOAT: pack_float(target, row, width, channels); break;
    }
}

#endif
