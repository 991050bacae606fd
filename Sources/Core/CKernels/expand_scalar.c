#include "expand_variants.h"

#include <string.h>

// Forced, so that every call with constant arguments becomes a separate loop.
#define INLINE __attribute__((always_inline)) static inline

// Codes

INLINE void expand_codes(const uint8_t *row, size_t width, size_t depth, const uint32_t *colors, uint8_t *output) {
    const size_t per_byte = 8 / depth;
    const unsigned mask = (1u << depth) - 1;
    for (size_t x = 0; x < width; row++) {
        size_t end = width - x < per_byte ? width - x : per_byte;
        for (size_t index = 0; index < end; index++, x++) {
            memcpy(output + 4 * x, &colors[*row >> (8 - depth * (index + 1)) & mask], 4);
        }
    }
}

void ck_expand_codes(const uint8_t *row, size_t width, size_t depth, const uint32_t *colors, uint8_t *output) {
    switch (depth) {
        case 1: expand_codes(row, width, 1, colors, output); break;
        case 2: expand_codes(row, width, 2, colors, output); break;
        case 4: expand_codes(row, width, 4, colors, output); break;
        default: expand_codes(row, width, 8, colors, output);
    }
}

// 8 bits

void ck_expand_gray_alpha8(const uint8_t *row, size_t width, uint8_t *output) {
    for (size_t x = 0; x < width; x++) {
        memset(output + 4 * x, row[2 * x], 3);
        output[4 * x + 3] = row[2 * x + 1];
    }
}

void ck_expand_rgb8_scalar(const uint8_t *row, size_t width, uint8_t *output) {
    for (size_t x = 0; x < width; x++) {
        memcpy(output + 4 * x, row + 3 * x, 3);
        output[4 * x + 3] = UINT8_MAX;
    }
}

// 16 bits

INLINE uint16_t load16(const uint8_t *sample) { return (uint16_t)(sample[0] << 8 | sample[1]); }

/// Expands a pixel to four samples of 16 bits. `has_key` is whether `key` is not NULL.
INLINE void expand_pixel(const uint8_t *pixel, size_t channels, int has_key, const uint16_t *key, uint16_t *samples) {
    for (size_t channel = 0; channel < 3; channel++) {
        samples[channel] = load16(pixel + (channels > 2 ? 2 * channel : 0));
    }
    samples[3] = channels % 2 == 0 ? load16(pixel + 2 * channels - 2) : UINT16_MAX;
    if (!has_key) return;
    int is_key = samples[0] == key[0];
    if (channels == 3) is_key &= (samples[1] == key[1]) & (samples[2] == key[2]);
    if (is_key) samples[3] = 0;
}

/// Expands a row. `output` has samples of 8 bits if `narrows` is true, and otherwise of 16 bits.
INLINE void expand_row(const uint8_t *row, size_t width, size_t channels, int has_key, const uint16_t *key, int narrows,
                       void *output) {
    for (size_t x = 0; x < width; x++) {
        uint16_t narrow[4];
        uint16_t *samples = narrows ? narrow : (uint16_t *)output + 4 * x;
        expand_pixel(row + 2 * channels * x, channels, has_key, key, samples);
        if (!narrows) continue;
        for (size_t channel = 0; channel < 4; channel++) {
            // Exactly round(s * 255 / 65535) for all samples.
            ((uint8_t *)output)[4 * x + channel] = (uint8_t)((samples[channel] * 255u + 32895u) >> 16);
        }
    }
}

INLINE void expand_any(const uint8_t *row, size_t width, size_t channels, const uint16_t *key, int narrows,
                       void *output) {
    switch (channels) {
        case 1:
            if (key != NULL) expand_row(row, width, 1, 1, key, narrows, output);
            else expand_row(row, width, 1, 0, NULL, narrows, output);
            break;
        case 2: expand_row(row, width, 2, 0, NULL, narrows, output); break;
        case 3:
            if (key != NULL) expand_row(row, width, 3, 1, key, narrows, output);
            else expand_row(row, width, 3, 0, NULL, narrows, output);
            break;
        default: expand_row(row, width, 4, 0, NULL, narrows, output);
    }
}

void ck_expand_16(const uint8_t *row, size_t width, size_t channels, const uint16_t *key, uint16_t *output) {
    expand_any(row, width, channels, key, 0, output);
}

void ck_expand_16_to_8(const uint8_t *row, size_t width, size_t channels, const uint16_t *key, uint8_t *output) {
    expand_any(row, width, channels, key, 1, output);
}
