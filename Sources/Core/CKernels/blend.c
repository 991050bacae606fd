#include "blend.h"

#include <math.h>
#include <stdbool.h>

// A fused multiply-add rounds once less, so results would differ between machines.
#pragma STDC FP_CONTRACT OFF

// The number of integer pixels that are converted to floats together.
enum { BLOCK = 64 };

// Each function below is compiled once for each mode, without branches on the mode in its loop.
#define INLINE static inline __attribute__((always_inline))

// MARK: Modes that compute each channel for itself

INLINE float hard_light(float below, float above) {
    return above <= 0.5f ? 2 * above * below : 1 - 2 * (1 - above) * (1 - below);
}

INLINE float soft_light(float below, float above) {
    if (above <= 0.5f) return below - (1 - 2 * above) * below * (1 - below);
    float light = below <= 0.25f ? ((16 * below - 12) * below + 4) * below : sqrtf(below);
    return below + (2 * above - 1) * (light - below);
}

INLINE float color_dodge(float below, float above) {
    if (below <= 0) return 0;
    float quotient = above >= 1 ? 1 : below / (1 - above);
    return quotient < 1 ? quotient : 1;
}

INLINE float color_burn(float below, float above) {
    if (below >= 1) return 1;
    float quotient = above <= 0 ? 1 : (1 - below) / above;
    return quotient < 1 ? 1 - quotient : 0;
}

INLINE float blended(ck_blend_mode mode, float below, float above) {
    switch (mode) {
    case CK_BLEND_MULTIPLY: return below * above;
    case CK_BLEND_SCREEN: return below + above - below * above;
    case CK_BLEND_OVERLAY: return hard_light(above, below);
    case CK_BLEND_DARKEN: return below < above ? below : above;
    case CK_BLEND_LIGHTEN: return below > above ? below : above;
    case CK_BLEND_COLOR_DODGE: return color_dodge(below, above);
    case CK_BLEND_COLOR_BURN: return color_burn(below, above);
    case CK_BLEND_HARD_LIGHT: return hard_light(below, above);
    case CK_BLEND_SOFT_LIGHT: return soft_light(below, above);
    case CK_BLEND_DIFFERENCE: return below > above ? below - above : above - below;
    case CK_BLEND_EXCLUSION: return below + above - 2 * below * above;
    default: return above;
    }
}

// MARK: Modes that compute the channels together

typedef struct color {
    float channels[3];
} color;

INLINE float least(color color) { return fminf(fminf(color.channels[0], color.channels[1]), color.channels[2]); }

INLINE float most(color color) { return fmaxf(fmaxf(color.channels[0], color.channels[1]), color.channels[2]); }

INLINE float luminosity(color color) {
    return 0.3f * color.channels[0] + 0.59f * color.channels[1] + 0.11f * color.channels[2];
}

INLINE float saturation(color color) { return most(color) - least(color); }

// Returns a color with another luminosity, moved towards gray until its channels are from 0 to 1.
INLINE color with_luminosity(color color, float wanted) {
    float distance = wanted - luminosity(color);
    for (int index = 0; index < 3; index++) color.channels[index] += distance;
    float gray = luminosity(color);
    float low = least(color);
    float high = most(color);
    // Rounding can make a gray color a little less than 0, or more than 1.
    if (low < 0 && gray > low) {
        for (int index = 0; index < 3; index++) {
            color.channels[index] = gray + (color.channels[index] - gray) * gray / (gray - low);
        }
    }
    if (high > 1 && high > gray) {
        for (int index = 0; index < 3; index++) {
            color.channels[index] = gray + (color.channels[index] - gray) * (1 - gray) / (high - gray);
        }
    }
    return color;
}

// Returns a color with another saturation, whose least channel is 0.
INLINE color with_saturation(color color, float wanted) {
    float low = least(color);
    float range = most(color) - low;
    for (int index = 0; index < 3; index++) {
        color.channels[index] = range > 0 ? (color.channels[index] - low) * wanted / range : 0;
    }
    return color;
}

INLINE color mixed(ck_blend_mode mode, color below, color above) {
    switch (mode) {
    case CK_BLEND_HUE:
        return with_luminosity(with_saturation(above, saturation(below)), luminosity(below));
    case CK_BLEND_SATURATION:
        return with_luminosity(with_saturation(below, saturation(above)), luminosity(below));
    case CK_BLEND_COLOR: return with_luminosity(above, luminosity(below));
    case CK_BLEND_LUMINOSITY: return with_luminosity(below, luminosity(above));
    default: {
        color result;
        for (int index = 0; index < 3; index++) {
            result.channels[index] = blended(mode, below.channels[index], above.channels[index]);
        }
        return result;
    }
    }
}

// MARK: Composition

// The parts of the two pixels that are visible.
typedef struct parts {
    float above;
    float below;
} parts;

INLINE parts visible(ck_blend_mode mode, float alpha, float alpha_below) {
    switch (mode) {
    case CK_BLEND_CLEAR: return (parts){0, 0};
    case CK_BLEND_COPY: return (parts){1, 0};
    case CK_BLEND_SOURCE_IN: return (parts){alpha_below, 0};
    case CK_BLEND_SOURCE_OUT: return (parts){1 - alpha_below, 0};
    case CK_BLEND_SOURCE_ATOP: return (parts){alpha_below, 1 - alpha};
    case CK_BLEND_DESTINATION_OVER: return (parts){1 - alpha_below, 1};
    case CK_BLEND_DESTINATION_IN: return (parts){0, alpha};
    case CK_BLEND_DESTINATION_OUT: return (parts){0, 1 - alpha};
    case CK_BLEND_DESTINATION_ATOP: return (parts){1 - alpha_below, alpha};
    case CK_BLEND_XOR: return (parts){1 - alpha_below, 1 - alpha};
    case CK_BLEND_LIGHTER: return (parts){1, 1};
    default: return (parts){1, 1 - alpha};
    }
}

// Whether a transparent pixel leaves the one below unchanged, including its color.
INLINE bool keeps_below(ck_blend_mode mode) {
    parts parts = visible(mode, 0, 0.5f);
    return parts.below == 1;
}

INLINE void blend(ck_blend_mode mode, const float *pixels, float opacity, float *result, size_t count) {
    for (size_t index = 0; index < count; index++, pixels += 4, result += 4) {
        float alpha = pixels[3] * opacity;
        float alpha_below = result[3];
        if (keeps_below(mode) && !(alpha > 0)) continue;
        color above = {{pixels[0], pixels[1], pixels[2]}};
        color below = {{result[0], result[1], result[2]}};
        // The mode applies where both pixels are; elsewhere, the color above is seen.
        color both = mixed(mode, below, above);
        parts parts = visible(mode, alpha, alpha_below);
        float weight = alpha * parts.above;
        float weight_below = alpha_below * parts.below;
        float whole = weight + weight_below;
        float limit = mode == CK_BLEND_LIGHTER && whole > 1 ? 1 : whole;
        for (int channel = 0; channel < 3; channel++) {
            float seen = above.channels[channel] + alpha_below * (both.channels[channel] - above.channels[channel]);
            if (mode == CK_BLEND_NORMAL || mode >= CK_BLEND_CLEAR) seen = above.channels[channel];
            float sum = seen * weight + below.channels[channel] * weight_below;
            if (mode == CK_BLEND_LIGHTER && sum > 1) sum = 1;
            result[channel] = whole > 0 ? sum / limit : 0;
        }
        result[3] = limit;
    }
}

void ck_blend_rgba_float(ck_blend_mode mode, const float *pixels, float opacity, float *below, size_t count) {
#define CASE(MODE) \
    case MODE: blend(MODE, pixels, opacity, below, count); return
    switch (mode) {
        CASE(CK_BLEND_NORMAL);
        CASE(CK_BLEND_MULTIPLY);
        CASE(CK_BLEND_SCREEN);
        CASE(CK_BLEND_OVERLAY);
        CASE(CK_BLEND_DARKEN);
        CASE(CK_BLEND_LIGHTEN);
        CASE(CK_BLEND_COLOR_DODGE);
        CASE(CK_BLEND_COLOR_BURN);
        CASE(CK_BLEND_HARD_LIGHT);
        CASE(CK_BLEND_SOFT_LIGHT);
        CASE(CK_BLEND_DIFFERENCE);
        CASE(CK_BLEND_EXCLUSION);
        CASE(CK_BLEND_HUE);
        CASE(CK_BLEND_SATURATION);
        CASE(CK_BLEND_COLOR);
        CASE(CK_BLEND_LUMINOSITY);
        CASE(CK_BLEND_CLEAR);
        CASE(CK_BLEND_COPY);
        CASE(CK_BLEND_SOURCE_IN);
        CASE(CK_BLEND_SOURCE_OUT);
        CASE(CK_BLEND_SOURCE_ATOP);
        CASE(CK_BLEND_DESTINATION_OVER);
        CASE(CK_BLEND_DESTINATION_IN);
        CASE(CK_BLEND_DESTINATION_OUT);
        CASE(CK_BLEND_DESTINATION_ATOP);
        CASE(CK_BLEND_XOR);
        CASE(CK_BLEND_LIGHTER);
    }
#undef CASE
}

// MARK: Integers

// Returns a level from a number that is usually from 0 to 1.
INLINE float level(float value, float full) {
    float bounded = value > 0 ? value : 0;
    return (bounded < 1 ? bounded : 1) * full + 0.5f;
}

// Defines the function for a type of integer levels.
#define DEFINE_BLEND(NAME, LEVEL, FULL) \
    void NAME(ck_blend_mode mode, const LEVEL *pixels, float opacity, LEVEL *below, size_t count) { \
        float above[4 * BLOCK]; \
        float result[4 * BLOCK]; \
        while (count > 0) { \
            size_t part = count < BLOCK ? count : BLOCK; \
            for (size_t index = 0; index < 4 * part; index++) { \
                above[index] = pixels[index] / FULL; \
                result[index] = below[index] / FULL; \
            } \
            ck_blend_rgba_float(mode, above, opacity, result, part); \
            for (size_t index = 0; index < 4 * part; index++) below[index] = (LEVEL)level(result[index], FULL); \
            pixels += 4 * part; \
            below += 4 * part; \
            count -= part; \
        } \
    }

DEFINE_BLEND(ck_blend_rgba8, uint8_t, 255.0f)
DEFINE_BLEND(ck_blend_rgba16, uint16_t, 65535.0f)
