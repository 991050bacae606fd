/// Converting colors between two spaces of red, green and blue, each of which has a curve for every channel and a
/// matrix. Source: ICC.1:2022, annex F.3.
///
/// Pixels have four channels, and are converted in place. The fourth channel does not change. Amounts of light below 0
/// and above the maximum are clipped before the curves of the target.
#ifndef CK_COLOR_H
#define CK_COLOR_H

#include <stddef.h>
#include <stdint.h>

#include "isa.h"

#if defined(__cplusplus)
extern "C" {
#endif

enum {
    /// The amount of light that is the maximum of a channel, as an index of the tables `levels`.
    CK_COLOR_LIGHT = 1 << 14,
    /// The number of bits by which the sums of `ck_color8.shares` are more precise than `CK_COLOR_LIGHT`.
    CK_COLOR8_FRACTION = 12,
    /// The number of bits by which amounts of light are more precise than `CK_COLOR_LIGHT` in a `ck_color16`.
    CK_COLOR16_FRACTION = 16,
    /// The number of bits after the binary point of `ck_color16.matrix`.
    CK_COLOR16_MATRIX = 24,
    /// The number of bits after the binary point of `ck_color16.levels`.
    CK_COLOR16_LEVEL = 12,
};

/// The tables for channels of 8 bits.
typedef struct ck_color8 {
    /// 4 numbers for each level of red, then of green, then of blue: its share of the light of the target's red, green
    /// and blue, and 0. One of the channels includes the half that rounds the sums. Sums fit into 32 bits.
    const int32_t *CK_NONNULL shares;
    /// For red, green and blue, the level of each amount of light from 0 to `CK_COLOR_LIGHT`.
    const uint8_t *CK_NONNULL levels[3];
} ck_color8;

/// The tables for channels of 16 bits in native byte order.
typedef struct ck_color16 {
    /// For red, green and blue, the light of each of the 65,536 levels. Full light is `CK_COLOR_LIGHT`, shifted left by
    /// `CK_COLOR16_FRACTION`. Entries may be larger.
    const uint32_t *CK_NONNULL light[3];
    /// The matrix from the light of the source to that of the target, row by row. Each number is below 16 and above -16.
    int32_t matrix[9];
    /// For red, green and blue, the level of each amount of light from 0 to `CK_COLOR_LIGHT`, and the last one twice.
    /// Levels between them are interpolated. A level is at most 65,535, shifted left by `CK_COLOR16_LEVEL`.
    const uint32_t *CK_NONNULL levels[3];
} ck_color16;

/// Converts pixels with channels of 8 bits.
void ck_convert_color8(const ck_color8 *CK_NONNULL color, uint8_t *CK_NONNULL pixels, size_t count);

/// Converts pixels with channels of 16 bits.
void ck_convert_color16(const ck_color16 *CK_NONNULL color, uint16_t *CK_NONNULL pixels, size_t count);

/// `ck_convert_color8` with a limit on the instruction set, see `ck_isa`.
void ck_convert_color8_isa(ck_isa isa, const ck_color8 *CK_NONNULL color, uint8_t *CK_NONNULL pixels, size_t count);

#if defined(__cplusplus)
}
#endif

#endif
