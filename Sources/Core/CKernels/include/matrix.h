/// Maps the colors of pixels by a matrix, in 32-bit floating point. No operation is fused, so results are the same on all
/// machines.
#ifndef CK_MATRIX_H
#define CK_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#include "isa.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// The largest level of a float pixel that is told apart from larger ones, and the largest coefficient. With both, no sum
/// overflows.
#define CK_MATRIX_LARGEST_LEVEL 1e30f
#define CK_MATRIX_LARGEST_COEFFICIENT 1e6f

/// Maps `count` pixels of 8 bits per channel. Each channel of the result is a weighted sum of red, green, blue and alpha
/// plus a constant, where full is 1; it is limited to 0 to 1 and rounded.
///
/// `columns` are 20 numbers: for red, green, blue and alpha of the source, and for the constant, the weights in red,
/// green, blue and alpha of the result. They are finite, at most `CK_MATRIX_LARGEST_COEFFICIENT`. `result` may be
/// `pixels`.
void ck_matrix_rgba8(
    const float columns[CK_NONNULL 20], const uint8_t *CK_NONNULL pixels, uint8_t *CK_NONNULL result, size_t count);

/// Maps `count` pixels of 16 bits per channel, as `ck_matrix_rgba8` does.
void ck_matrix_rgba16(
    const float columns[CK_NONNULL 20], const uint16_t *CK_NONNULL pixels, uint16_t *CK_NONNULL result, size_t count);

/// Maps `count` pixels of floats, as `ck_matrix_rgba8` does, without limits for the result. So that one channel cannot
/// spoil the others, levels beyond `CK_MATRIX_LARGEST_LEVEL` count as that level, and NaN counts as 0.
void ck_matrix_rgba_float(
    const float columns[CK_NONNULL 20], const float *CK_NONNULL pixels, float *CK_NONNULL result, size_t count);

#if defined(__cplusplus)
}
#endif

#endif
