#include "over.h"

#include <string.h>

// A fused multiply-add rounds once less, so results would differ between machines.
#pragma STDC FP_CONTRACT OFF

// The number of pixels that are checked together: in most rows of an animation, blocks are invisible or opaque.
// Compilers vectorize the loops over them.
enum { BLOCK = 16 };

// The weights of two pixels for their combined color, if neither hides the other.
typedef struct weights {
    uint64_t above;
    uint64_t below;
    uint64_t whole;
} weights;

static inline weights weigh(uint64_t alpha, uint64_t alpha_below, uint64_t full) {
    uint64_t above = alpha * full;
    uint64_t below = alpha_below * (full - alpha);
    return (weights){above, below, above + below};
}

static inline uint64_t mix(uint64_t above, uint64_t below, weights weights) {
    return (above * weights.above + below * weights.below + weights.whole / 2) / weights.whole;
}

// Divides a weighted sum by the full level of a number of bits, which is the sum of the weights, and rounds.
static inline uint64_t part(uint64_t sum, unsigned bits) {
    sum += (uint64_t)1 << (bits - 1);
    return (sum + (sum >> bits)) >> bits;
}

static inline uint64_t mixed_alpha(weights weights, uint64_t full) { return (weights.whole + full / 2) / full; }

static void over8(const uint8_t *pixel, uint8_t *below) {
    uint32_t alpha = pixel[3];
    if (alpha == 0) return;
    if (alpha == UINT8_MAX || below[3] == 0) {
        memcpy(below, pixel, 4);
    } else if (below[3] == UINT8_MAX) {
        for (int channel = 0; channel < 3; channel++) {
            uint32_t sum = pixel[channel] * alpha + below[channel] * (UINT8_MAX - alpha);
            below[channel] = (uint8_t)part(sum, 8);
        }
    } else {
        weights weights = weigh(alpha, below[3], UINT8_MAX);
        for (int channel = 0; channel < 3; channel++) {
            below[channel] = (uint8_t)mix(pixel[channel], below[channel], weights);
        }
        below[3] = (uint8_t)mixed_alpha(weights, UINT8_MAX);
    }
}

void ck_over_rgba8(const uint8_t *pixels, uint8_t *below, size_t count) {
    static const uint8_t alpha_bytes[4] = {0, 0, 0, UINT8_MAX};
    uint32_t alpha;
    memcpy(&alpha, alpha_bytes, sizeof alpha);
    for (; count >= BLOCK; count -= BLOCK, pixels += 4 * BLOCK, below += 4 * BLOCK) {
        uint32_t block[BLOCK];
        uint32_t shown[BLOCK];
        uint32_t any = 0;
        uint32_t partial = 0;
        memcpy(block, pixels, sizeof block);
        for (int index = 0; index < BLOCK; index++) {
            uint32_t seen = block[index] & alpha;
            any |= seen;
            partial |= seen != 0 ? seen ^ alpha : 0;
        }
        if (any == 0) continue;
        if (partial != 0) {
            for (int index = 0; index < BLOCK; index++) over8(pixels + 4 * index, below + 4 * index);
            continue;
        }
        memcpy(shown, below, sizeof shown);
        for (int index = 0; index < BLOCK; index++) {
            shown[index] = (block[index] & alpha) != 0 ? block[index] : shown[index];
        }
        memcpy(below, shown, sizeof shown);
    }
    for (size_t index = 0; index < count; index++) over8(pixels + 4 * index, below + 4 * index);
}

static void over16(const uint16_t *pixel, uint16_t *below) {
    uint64_t alpha = pixel[3];
    if (alpha == 0) return;
    if (alpha == UINT16_MAX || below[3] == 0) {
        memcpy(below, pixel, 8);
    } else if (below[3] == UINT16_MAX) {
        for (int channel = 0; channel < 3; channel++) {
            uint64_t sum = pixel[channel] * alpha + below[channel] * (UINT16_MAX - alpha);
            below[channel] = (uint16_t)part(sum, 16);
        }
    } else {
        weights weights = weigh(alpha, below[3], UINT16_MAX);
        for (int channel = 0; channel < 3; channel++) {
            below[channel] = (uint16_t)mix(pixel[channel], below[channel], weights);
        }
        below[3] = (uint16_t)mixed_alpha(weights, UINT16_MAX);
    }
}

void ck_over_rgba16(const uint16_t *pixels, uint16_t *below, size_t count) {
    for (size_t index = 0; index < count; index++) over16(pixels + 4 * index, below + 4 * index);
}

void ck_over_rgba_float(const float *pixels, float *below, size_t count) {
    for (; count > 0; count--, pixels += 4, below += 4) {
        float alpha = pixels[3];
        if (!(alpha > 0)) continue;
        if (alpha >= 1) {
            // An infinite color below would spread otherwise.
            memcpy(below, pixels, 4 * sizeof *below);
            continue;
        }
        float rest = below[3] * (1 - alpha);
        float weight_below = rest > 0 ? rest : 0;
        float whole = alpha + weight_below;
        for (int channel = 0; channel < 3; channel++) {
            below[channel] = (pixels[channel] * alpha + below[channel] * weight_below) / whole;
        }
        below[3] = whole;
    }
}
