/// Draws pixels over others by their straight alpha, as Porter and Duff's "over" has it: loops that compilers make wide
/// by themselves.
///
/// Integers are rounded once and exactly. A pixel of no alpha leaves what is below as it is, its color too. An integer
/// pixel of full alpha, and one over a pixel of no alpha, replaces what is below.
#ifndef CK_OVER_H
#define CK_OVER_H

#include <stddef.h>
#include <stdint.h>

#include "isa.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// Draws `count` pixels of 8 bits per channel over those of `below`, which become the result.
void ck_over_rgba8(const uint8_t *CK_NONNULL pixels, uint8_t *CK_NONNULL below, size_t count);

/// Draws `count` pixels of 16 bits per channel. Arguments as above.
void ck_over_rgba16(const uint16_t *CK_NONNULL pixels, uint16_t *CK_NONNULL below, size_t count);

/// Draws `count` pixels of floats, of which 1 is full. Rounds as floats do. Arguments as above.
void ck_over_rgba_float(const float *CK_NONNULL pixels, float *CK_NONNULL below, size_t count);

#if defined(__cplusplus)
}
#endif

#endif
