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

/// Maps `count` pixels of 8 bits per channel. Each channel of the result is a weighted sum of red, green, blue and alpha
/// plus a constant, where full is 1; it is limited to 0 to 1 and rounded.
///
/// `columns` are 20 numbers: for red, green, blue and alpha of the source, and for the constant, the weights in red,
/// green, blue and alpha of the result. `result` may be `pixels`.
void ck_matrix_rgba8(
    const float columns[CK_NONNULL 20], const uint8_t *CK_NONNULL pixels, uint8_t *CK_NONNULL result, size_t count);

/// Maps `count` pixels of 16 bits per channel, as `ck_matrix_rgba8` does.
void ck_matrix_rgba16(
    const float columns[CK_NONNULL 20], const uint16_t *CK_NONNULL pixels, uint16_t *CK_NONNULL result, size_t count);

/// Maps `count` pixels of floats, as `ck_matrix_rgba8` does, without limits.
void ck_matrix_rgba_float(
    const float columns[CK_NONNULL 20], const float *CK_NONNULL pixels, float *CK_NONNULL result, size_t count);

#if defined(__cplusplus)
}
#endif

#endif
