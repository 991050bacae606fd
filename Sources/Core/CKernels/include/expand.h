/// Expanding the rows of PNG to red, green, blue and straight alpha. Source: W3C PNG, third edition, sections 11.2.1,
/// 11.3.1.1 and 13.12.
///
/// A row has no filter. Its samples of 16 bits are big-endian, and samples of fewer than 8 bits are packed with the
/// first one in the highest bits. Outputs have room for `width` pixels.
#ifndef CK_EXPAND_H
#define CK_EXPAND_H

#include <stddef.h>
#include <stdint.h>

#include "isa.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// Replaces each code of `depth` bits, 1, 2, 4 or 8, with its color.
///
/// `colors` contains the four bytes of each color. It has as many elements as there are codes.
void ck_expand_codes(const uint8_t *CK_NONNULL row, size_t width, size_t depth, const uint32_t *CK_NONNULL colors,
                     uint8_t *CK_NONNULL output);

/// Expands gray and alpha with 8 bits per sample.
void ck_expand_gray_alpha8(const uint8_t *CK_NONNULL row, size_t width, uint8_t *CK_NONNULL output);

/// Expands red, green and blue with 8 bits per sample.
///
/// `key`: the three samples of the color that is transparent; NULL for none. All other pixels are opaque.
void ck_expand_rgb8(const uint8_t *CK_NONNULL row, size_t width, const uint8_t *CK_NULLABLE key,
                    uint8_t *CK_NONNULL output);

/// Expands samples of 16 bits to samples of 16 bits in native byte order.
///
/// `channels`: 1 for gray, 2 for gray and alpha, 3 for color, 4 for color and alpha. `key`: the samples of the gray
/// level or of the color that is transparent, in native byte order; NULL for none, and if there is an alpha channel.
/// Without an alpha channel, all other pixels are opaque.
void ck_expand_16(const uint8_t *CK_NONNULL row, size_t width, size_t channels, const uint16_t *CK_NULLABLE key,
                  uint16_t *CK_NONNULL output);

/// Expands samples of 16 bits to samples of 8 bits, as `ck_expand_16` does. A sample s becomes round(s * 255 / 65535).
void ck_expand_16_to_8(const uint8_t *CK_NONNULL row, size_t width, size_t channels, const uint16_t *CK_NULLABLE key,
                       uint8_t *CK_NONNULL output);

/// `ck_expand_rgb8` with a limit on the instruction set, see `ck_isa`.
void ck_expand_rgb8_isa(ck_isa isa, const uint8_t *CK_NONNULL row, size_t width, const uint8_t *CK_NULLABLE key,
                        uint8_t *CK_NONNULL output);

#if defined(__cplusplus)
}
#endif

#endif
