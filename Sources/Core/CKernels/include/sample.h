/// Computes pixels at places between those of a picture, in 32-bit floating point. No operation is fused, so results are
/// the same on all machines.
#ifndef CK_SAMPLE_H
#define CK_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "isa.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// Computes `count` pixels along a line through a picture of float RGBA, with color premultiplied by alpha. The weights
/// of the 16 pixels around a place are those of the cubic filter Catmull-Rom.
///
/// The place of output pixel i is column `x + i * dx` and row `y + i * dy`, where 0 is the middle of the first pixel, and
/// all places are at least 1. The pixels from one before to two after each place must exist. `width` is the number of
/// pixels in a row of the picture.
void ck_sample_cubic_rgba_float(const float *CK_NONNULL pixels, size_t width, float x, float y, float dx, float dy,
                                size_t count, float *CK_NONNULL output);

/// `ck_sample_cubic_rgba_float` with a limit on the instruction set, see `ck_isa`.
void ck_sample_cubic_rgba_float_isa(ck_isa isa, const float *CK_NONNULL pixels, size_t width, float x, float y,
                                    float dx, float dy, size_t count, float *CK_NONNULL output);

#if defined(__cplusplus)
}
#endif

#endif
