#include "sharpen_variants.h"

// A fused multiply-add rounds once less, so results would differ between machines.
#pragma STDC FP_CONTRACT OFF

// Defines the function for a type of levels. `FINISHED` makes a level of a sum.
#define DEFINE_SHARPEN(NAME, LEVEL, FULL, FINISHED) \
    void NAME(const LEVEL *pixels, const LEVEL *blurred, float amount, float threshold, LEVEL *result, \
              size_t count) { \
        float least = threshold * (FULL); \
        for (; count > 0; count--, pixels += 4, blurred += 4, result += 4) { \
            float factor = blurred[3] == 0 ? 0 : amount; \
            /* Selected, since infinity times 0 is not a number. */ \
            float factors[4] = {factor, factor, factor, 0}; \
            for (int channel = 0; channel < 4; channel++) { \
                float level = pixels[channel]; \
                float difference = level - blurred[channel]; \
                float size = difference < 0 ? -difference : difference; \
                float change = size < least || factors[channel] == 0 ? 0 : difference * factors[channel]; \
                float sum = level + change; \
                result[channel] = FINISHED(sum, LEVEL, FULL); \
            } \
        } \
    }

#define ROUNDED(SUM, LEVEL, FULL) \
    (LEVEL)(int32_t)((SUM) + 0.5f > 0 ? ((SUM) + 0.5f < (FULL) ? (SUM) + 0.5f : (FULL)) : 0)
#define UNLIMITED(SUM, LEVEL, FULL) (SUM)

DEFINE_SHARPEN(ck_sharpen_rgba8_scalar, uint8_t, 255.0f, ROUNDED)
DEFINE_SHARPEN(ck_sharpen_rgba16_scalar, uint16_t, 65535.0f, ROUNDED)
DEFINE_SHARPEN(ck_sharpen_rgba_float, float, 1.0f, UNLIMITED)
