/// Separable resampling of 8 bit RGBA with straight alpha. Two source rows are packed and filtered horizontally into a
/// row pair, and row pairs are filtered vertically into output rows. The caller provides windows and coefficients.
///
/// Fixed point: between the steps a sample of 0...255 is an int16 in units of 1/64, with color premultiplied by alpha.
///
/// Packed row: int16, pixels interleaved in pairs: R0 R1 G0 G1 B0 B1 A0 A1, R2 R3 G2 G3 ...; always
/// `ck_resize_packed_pixels(width)` pixels of 4 values, zero from pixel `width` on. Must be 32-byte aligned; 64 bytes
/// are faster.
///
/// Row pair: int16, 8 per output pixel: R_row0 R_row1 G_row0 G_row1 B_row0 B_row1 A_row0 A_row1, `count` pixels without
/// padding. Any alignment of int16 works; 32 bytes (better 64) is fastest.
///
/// Coefficients: int16. A weight w is round(w * 2^precision). Those of a window should add up to exactly 2^precision,
/// or flat areas change their value. `precision` is 7...16; the largest value at which every coefficient fits into an
/// int16 is the most accurate.
///
/// Sums are int32. Let P be the sum of the positive weights of a window and N that of the negative ones, without sign,
/// so P - N = 1. Horizontally P <= 2.0 keeps the sum in range and the row pair below the int16 limit (beyond it values
/// saturate). Vertically, with p and n those of the vertical window, P * p + N * n <= 2.0 is required; Lanczos3 needs
/// 1.75 at most, also at edges with truncated and renormalized windows. Only the final sums count: a sum that
/// temporarily leaves the int32 range is correct. A final sum out of range wraps around, in every variant alike.
#ifndef CK_RESIZE_H
#define CK_RESIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// The source pixels that contribute to an output pixel of a horizontal pass over packed rows.
typedef struct ck_window8 {
    /// The first source pixel; even and not negative. A multiple of 4 avoids split cache lines if it costs no
    /// additional group. With AVX-512, a multiple of 8 and an even number of groups that neighbors share are fastest.
    int32_t start;
    /// The number of groups of 4 taps, at least 0. `start + 4 * groups` must not exceed
    /// `ck_resize_packed_pixels(width)`.
    int32_t groups;
    /// The index of the first of `4 * groups` coefficients, zero-padded at either end; tap k is source pixel `start +
    /// k`. Windows of the same phase may share coefficients, which keeps the table in the cache.
    int32_t offset;
} ck_window8;

/// Returns the number of pixels in a packed row of a source `width` pixels wide: `width` rounded up to a multiple of 4,
/// plus 4. The buffer takes 8 bytes per pixel.
size_t ck_resize_packed_pixels(size_t width);

/// Packs two source rows of `width` RGBA pixels (4 bytes each, any alignment, nothing read past 4 * width bytes).
///
/// Each component becomes component * 64. Unless `opaque`, color becomes round(color * alpha * 64 / 255). `row1` may
/// equal `row0`; NULL stands for a row of zeros. `packed0` and `packed1` are written completely, including the zeros,
/// and must not overlap.
void ck_resize_pack8(const uint8_t *CK_NONNULL row0, const uint8_t *CK_NULLABLE row1, size_t width, bool opaque,
                     int16_t *CK_NONNULL packed0, int16_t *CK_NONNULL packed1);

/// Filters two packed rows into the row pair `output` of `count` pixels, which are 16 * count bytes.
///
/// Each value is (sum of coefficient * sample + 2^(precision - 1)) >> precision, saturated to int16, for output pixel i
/// over the window `windows[i]`. `coefficients` is the table for the windows' offsets, at any alignment. Only the
/// coefficients of the windows are read.
void ck_resize_horizontal8(const int16_t *CK_NONNULL packed0, const int16_t *CK_NONNULL packed1,
                           const ck_window8 *CK_NONNULL windows, const int16_t *CK_NONNULL coefficients,
                           int32_t precision, size_t count, int16_t *CK_NONNULL output);

/// Filters `pairs` row pairs of `width` pixels into one row of RGBA pixels with straight alpha.
///
/// `rows` contains the row pairs, `coefficients` 2 per pair (row 0, row 1; 0 for a row outside the window). With v =
/// (sum of coefficient * sample + 2^(precision - 1)) >> precision the output is
/// - `opaque`: (v + 32) >> 6 clamped to 0...255, and alpha 255;
/// - otherwise, with a = v of alpha: four zeros if a < 32, else alpha (a + 32) >> 6 clamped to 255 and color
///   (int)((float)v * 255.0f / (float)a + 0.5f) clamped to 0...255. Ringing that raises a beyond 255 * 64 scales
///   color too, so color is divided by the unclamped a.
///
/// `output` takes 4 * width bytes at any alignment, nothing is written past them, and it must not overlap the input.
void ck_resize_vertical8(const int16_t *CK_NONNULL const *CK_NONNULL rows, const int16_t *CK_NONNULL coefficients,
                         size_t pairs, int32_t precision, size_t width, bool opaque, uint8_t *CK_NONNULL output);

/// `ck_resize_pack8` with a limit on the instruction set, see `ck_isa`.
void ck_resize_pack8_isa(ck_isa isa, const uint8_t *CK_NONNULL row0, const uint8_t *CK_NULLABLE row1, size_t width,
                         bool opaque, int16_t *CK_NONNULL packed0, int16_t *CK_NONNULL packed1);

/// `ck_resize_horizontal8` with a limit on the instruction set, see `ck_isa`.
void ck_resize_horizontal8_isa(ck_isa isa, const int16_t *CK_NONNULL packed0, const int16_t *CK_NONNULL packed1,
                               const ck_window8 *CK_NONNULL windows, const int16_t *CK_NONNULL coefficients,
                               int32_t precision, size_t count, int16_t *CK_NONNULL output);

/// `ck_resize_vertical8` with a limit on the instruction set, see `ck_isa`.
void ck_resize_vertical8_isa(ck_isa isa, const int16_t *CK_NONNULL const *CK_NONNULL rows,
                             const int16_t *CK_NONNULL coefficients, size_t pairs, int32_t precision, size_t width,
                             bool opaque, uint8_t *CK_NONNULL output);

#if defined(__cplusplus)
}
#endif

#endif
