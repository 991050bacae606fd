#include "over.h"

#include <string.h>

// A fused multiply and add rounds once less: another result on each machine.
#pragma STDC FP_CONTRACT OFF

// Pixels that are looked at together: in most rows of an animation each is invisible or opaque. Compilers make the loops
// over them wide.
enum { BLOCK = 16 };

static void over8(const uint8_t *pixel, uint8_t *below) {
    uint32_t alpha = pixel[3];
    if (alpha == 0) return;
    uint32_t alpha_below = below[3];
    uint32_t shown_through = UINT8_MAX - alpha;
    if (shown_through == 0 || alpha_below == 0) {
        memcpy(below, pixel, 4);
    } else if (alpha_below == UINT8_MAX) {
        // The result is opaque, so that the weights are parts of the full: dividing by it takes no division.
        for (int channel = 0; channel < 3; channel++) {
            uint32_t raised = pixel[channel] * alpha + below[channel] * shown_through + 128;
            below[channel] = (uint8_t)((raised + (raised >> 8)) >> 8);
        }
    } else {
        uint32_t weight = alpha * UINT8_MAX;
        uint32_t weight_below = alpha_below * shown_through;
        uint32_t whole = weight + weight_below;
        for (int channel = 0; channel < 3; channel++) {
            uint32_t sum = pixel[channel] * weight + below[channel] * weight_below;
            below[channel] = (uint8_t)((sum + whole / 2) / whole);
        }
        below[3] = (uint8_t)((whole + UINT8_MAX / 2) / UINT8_MAX);
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
    uint64_t alpha_below = below[3];
    uint64_t shown_through = UINT16_MAX - alpha;
    if (shown_through == 0 || alpha_below == 0) {
        memcpy(below, pixel, 8);
    } else {
        uint64_t weight = alpha * UINT16_MAX;
        uint64_t weight_below = alpha_below * shown_through;
        uint64_t whole = weight + weight_below;
        for (int channel = 0; channel < 3; channel++) {
            uint64_t sum = pixel[channel] * weight + below[channel] * weight_below;
            below[channel] = (uint16_t)((sum + whole / 2) / whole);
        }
        below[3] = (uint16_t)((whole + UINT16_MAX / 2) / UINT16_MAX);
    }
}

void ck_over_rgba16(const uint16_t *pixels, uint16_t *below, size_t count) {
    for (size_t index = 0; index < count; index++) over16(pixels + 4 * index, below + 4 * index);
}

void ck_over_rgba_float(const float *pixels, float *below, size_t count) {
    for (; count > 0; count--, pixels += 4, below += 4) {
        float alpha = pixels[3];
        if (!(alpha > 0)) continue;
        float rest = below[3] * (1 - alpha);
        float weight_below = rest > 0 ? rest : 0;
        float whole = alpha + weight_below;
        for (int channel = 0; channel < 3; channel++) {
            below[channel] = (pixels[channel] * alpha + below[channel] * weight_below) / whole;
        }
        below[3] = whole;
    }
}
