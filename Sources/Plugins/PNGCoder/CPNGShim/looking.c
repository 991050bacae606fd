#include "CPNGShim.h"

#ifdef CALOTYPE_PNG

#include <string.h>

// Without an exit inside of a row, so that many pixels are looked at in one instruction.

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

bool cpng_is_opaque(const void *row, size_t width, cpng_source source) {
    switch (source) {
        case CPNG_RGBA8: return is_opaque8(row, width);
        case CPNG_RGBA16: return is_opaque16(row, width);
        case CPNG_RGBA_FLOAT: return is_opaque_float(row, width);
    }
    return false;
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

bool cpng_is_gray(const void *row, size_t width, cpng_source source) {
    switch (source) {
        case CPNG_RGBA8: return is_gray8(row, width);
        case CPNG_RGBA16: return is_gray16(row, width);
        case CPNG_RGBA_FLOAT: return is_gray_float(row, width);
    }
    return false;
}

bool cpng_find_change(const void *before, const void *after, size_t count, size_t *first, size_t *end) {
    if (memcmp(before, after, count) == 0) return false;
    const uint8_t *old = before;
    const uint8_t *new = after;
    enum { step = 64 };
    size_t start = 0;
    while (count - start > step && memcmp(old + start, new + start, step) == 0) start += step;
    while (old[start] == new[start]) start++;
    while (count - start > step && memcmp(old + count - step, new + count - step, step) == 0) count -= step;
    while (old[count - 1] == new[count - 1]) count--;
    *first = start;
    *end = count;
    return true;
}

#endif
