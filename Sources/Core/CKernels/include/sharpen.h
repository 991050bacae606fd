/// Sharpens pixels by the difference from their blurred version, in 32-bit floating point. No operation is fused, so
/// results are the same on all machines.
#ifndef CK_SHARPEN_H
#define CK_SHARPEN_H

#include <stddef.h>
#include <stdint.h>

#include "isa.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// Sharpens `count` pixels of 8 bits per channel. A color channel changes by `amount` times the difference between it and
/// that of the blurred pixel, if the difference is at least `threshold` (as a part of the full level); it is limited to
/// 0 to 1 and rounded. Alpha stays the same, and so do pixels whose blurred pixel is transparent.
void ck_sharpen_rgba8(const uint8_t *CK_NONNULL pixels, const uint8_t *CK_NONNULL blurred, float amount,
                      float threshold, uint8_t *CK_NONNULL result, size_t count);

/// `ck_sharpen_rgba8` with a limit on the instruction set, see `ck_isa`.
void ck_sharpen_rgba8_isa(ck_isa isa, const uint8_t *CK_NONNULL pixels, const uint8_t *CK_NONNULL blurred, float amount,
                          float threshold, uint8_t *CK_NONNULL result, size_t count);

/// Sharpens `count` pixels of 16 bits per channel, as `ck_sharpen_rgba8` does.
void ck_sharpen_rgba16(const uint16_t *CK_NONNULL pixels, const uint16_t *CK_NONNULL blurred, float amount,
                       float threshold, uint16_t *CK_NONNULL result, size_t count);

/// `ck_sharpen_rgba16` with a limit on the instruction set, see `ck_isa`.
void ck_sharpen_rgba16_isa(ck_isa isa, const uint16_t *CK_NONNULL pixels, const uint16_t *CK_NONNULL blurred,
                           float amount, float threshold, uint16_t *CK_NONNULL result, size_t count);

/// Sharpens `count` pixels of floats, as `ck_sharpen_rgba8` does, without limits for the result.
void ck_sharpen_rgba_float(const float *CK_NONNULL pixels, const float *CK_NONNULL blurred, float amount,
                           float threshold, float *CK_NONNULL result, size_t count);

#if defined(__cplusplus)
}
#endif

#endif
