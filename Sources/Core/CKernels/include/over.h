/// Draws pixels over others by their straight alpha, as in Porter and Duff's "over", in loops that compilers vectorize.
///
/// Integers are rounded once and exactly. A pixel with zero alpha leaves the pixel below unchanged, including its
/// color. A pixel with full alpha replaces the pixel below, and so does an integer pixel over one with zero alpha.
#ifndef CK_OVER_H
#define CK_OVER_H

#include <stddef.h>
#include <stdint.h>

#include "isa.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// Draws `count` pixels of 8 bits per channel over those of `below`, which are replaced by the result.
void ck_over_rgba8(const uint8_t *CK_NONNULL pixels, uint8_t *CK_NONNULL below, size_t count);

/// Draws `count` pixels of 16 bits per channel over those of `below`, which are replaced by the result.
void ck_over_rgba16(const uint16_t *CK_NONNULL pixels, uint16_t *CK_NONNULL below, size_t count);

/// Draws `count` pixels of floats, where full is 1, over those of `below`, which are replaced by the result. Results
/// are rounded as all floats are.
void ck_over_rgba_float(const float *CK_NONNULL pixels, float *CK_NONNULL below, size_t count);

#if defined(__cplusplus)
}
#endif

#endif
