#include "claims.h"

#include <stdint.h>

// The loop over a row has no early exit, so that one instruction can process many pixels.

static bool is_opaque8(const uint8_t *pixel, size_t width) {
    uint8_t all = UINT8_MAX;
    for (size_t x = 0; x < width; x++) all &= pixel[4 * x + 3];
    return all == UINT8_MAX;
}

static bool is_opaque16(const uint16_t *pixel, size_t width) {
    uint16_t all = UINT16_MAX;
    for (size_t x = 0; x < width; x++) all &= pixel[4 * x + 3];
    return all == UINT16_MAX;
}

static bool is_opaque_float(const float *pixel, size_t width) {
    bool all = true;
    for (size_t x = 0; x < width; x++) all &= pixel[4 * x + 3] >= 1;
    return all;
}

bool ck_is_opaque(const void *row, size_t width, size_t bytes_per_channel) {
    switch (bytes_per_channel) {
        case 1: return is_opaque8(row, width);
        case 2: return is_opaque16(row, width);
        default: return is_opaque_float(row, width);
    }
}

static bool is_gray8(const uint8_t *pixel, size_t width) {
    unsigned differences = 0;
    for (size_t x = 0; x < width; x++, pixel += 4) {
        differences |= (unsigned)(pixel[0] ^ pixel[1]) | (unsigned)(pixel[1] ^ pixel[2]);
    }
    return differences == 0;
}

static bool is_gray16(const uint16_t *pixel, size_t width) {
    unsigned differences = 0;
    for (size_t x = 0; x < width; x++, pixel += 4) {
        differences |= (unsigned)(pixel[0] ^ pixel[1]) | (unsigned)(pixel[1] ^ pixel[2]);
    }
    return differences == 0;
}

static bool is_gray_float(const float *pixel, size_t width) {
    bool all = true;
    for (size_t x = 0; x < width; x++, pixel += 4) all &= pixel[0] == pixel[1] && pixel[1] == pixel[2];
    return all;
}

bool ck_is_gray(const void *row, size_t width, size_t bytes_per_channel) {
    switch (bytes_per_channel) {
        case 1: return is_gray8(row, width);
        case 2: return is_gray16(row, width);
        default: return is_gray_float(row, width);
    }
}
