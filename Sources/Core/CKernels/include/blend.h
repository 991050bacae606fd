/// Blends pixels with others, with straight alpha.
///
/// All modes are computed in 32-bit floating point and rounded once. No operation is fused, so results are the same on
/// all machines.
///
/// Sources: W3C, Compositing and Blending Level 1, sections 9 and 10; T. Porter and T. Duff, Compositing Digital Images,
/// 1984.
#ifndef CK_BLEND_H
#define CK_BLEND_H

#include <stddef.h>
#include <stdint.h>

#include "isa.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// The ways in which a pixel is blended with the one below it.
typedef enum ck_blend_mode {
    CK_BLEND_NORMAL,
    // The modes of W3C that compute each channel for itself.
    CK_BLEND_MULTIPLY,
    CK_BLEND_SCREEN,
    CK_BLEND_OVERLAY,
    CK_BLEND_DARKEN,
    CK_BLEND_LIGHTEN,
    CK_BLEND_COLOR_DODGE,
    CK_BLEND_COLOR_BURN,
    CK_BLEND_HARD_LIGHT,
    CK_BLEND_SOFT_LIGHT,
    CK_BLEND_DIFFERENCE,
    CK_BLEND_EXCLUSION,
    // The modes of W3C that compute the channels together.
    CK_BLEND_HUE,
    CK_BLEND_SATURATION,
    CK_BLEND_COLOR,
    CK_BLEND_LUMINOSITY,
    // The operators of Porter and Duff. "Source over destination" is CK_BLEND_NORMAL.
    CK_BLEND_CLEAR,
    CK_BLEND_COPY,
    CK_BLEND_SOURCE_IN,
    CK_BLEND_SOURCE_OUT,
    CK_BLEND_SOURCE_ATOP,
    CK_BLEND_DESTINATION_OVER,
    CK_BLEND_DESTINATION_IN,
    CK_BLEND_DESTINATION_OUT,
    CK_BLEND_DESTINATION_ATOP,
    CK_BLEND_XOR,
    CK_BLEND_LIGHTER,
} ck_blend_mode;

/// Blends `count` pixels of 8 bits per channel, whose alpha is multiplied by `opacity`, with those of `below`, which are
/// replaced by the result.
void ck_blend_rgba8(
    ck_blend_mode mode, const uint8_t *CK_NONNULL pixels, float opacity, uint8_t *CK_NONNULL below, size_t count);

/// Blends `count` pixels of 16 bits per channel, whose alpha is multiplied by `opacity`, with those of `below`, which
/// are replaced by the result.
void ck_blend_rgba16(
    ck_blend_mode mode, const uint16_t *CK_NONNULL pixels, float opacity, uint16_t *CK_NONNULL below, size_t count);

/// Blends `count` pixels of floats, where full is 1 and whose alpha is multiplied by `opacity`, with those of `below`,
/// which are replaced by the result.
void ck_blend_rgba_float(
    ck_blend_mode mode, const float *CK_NONNULL pixels, float opacity, float *CK_NONNULL below, size_t count);

#if defined(__cplusplus)
}
#endif

#endif
