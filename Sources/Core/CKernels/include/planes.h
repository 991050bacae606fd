/// Separable resampling of planes of 8 bits per sample, such as a JPEG's Y, Cb and Cr before upsampling. Eight rows of
/// a plane are packed as if they were the four components of two rows of RGBA, and filtered horizontally by
/// `ck_resize_horizontal8`. The resulting octets are filtered vertically into rows of the target, which are converted
/// to RGBA.
///
/// Fixed point, coefficients and sums are those of resize.h: samples between the steps are int16 in units of 1/64.
///
/// Octet: a row pair of resize.h, int16, 8 per output pixel. The order of the eight packed rows is 0, 4, 1, 5, 2, 6, 3,
/// 7.
#ifndef CK_PLANES_H
#define CK_PLANES_H

#include <stddef.h>
#include <stdint.h>

#include "isa.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// Packs eight rows of `width` samples (any alignment, nothing read past a row's end): rows 0...3 take the places of
/// red, green, blue and alpha in `packed0`, rows 4...7 those in `packed1`.
///
/// Each sample becomes sample * 64. NULL stands for a row of zeros. `packed0` and `packed1` are packed rows of resize.h
/// with its alignment. They are written completely, including the zeros, and must not overlap.
void ck_planes_pack8(const uint8_t *CK_NULLABLE const *CK_NONNULL rows, size_t width, int16_t *CK_NONNULL packed0,
                     int16_t *CK_NONNULL packed1);

/// Filters `count` octets of `width` pixels into one row of `width` samples.
///
/// `coefficients` holds 8 per octet, in the order of its rows; 0 for a row outside the window. Each sample is
/// (sum of coefficient * value + 2^(precision - 1)) >> precision, saturated to int16. Any alignment of int16 works;
/// `output` must not overlap the input.
void ck_planes_vertical(const int16_t *CK_NONNULL const *CK_NONNULL octets, const int16_t *CK_NONNULL coefficients,
                        size_t count, int32_t precision, size_t width, int16_t *CK_NONNULL output);

/// Converts `width` samples of Y, Cb and Cr, in ITU-R BT.601 full range as in JFIF, to opaque RGBA as libjpeg does.
///
/// libjpeg rounds the contributions of Cb and Cr to Y to whole levels. A picture decoded at full size before resampling
/// has those errors. In areas of flat chroma they are the same in all pixels, so no filter removes them. Exact
/// arithmetic would produce a different picture, half a level away in whole areas. So at whole levels of Cb and Cr this
/// adds the same contributions as libjpeg, bit for bit. Between them it interpolates, linearly for red and blue, and
/// bilinearly for green, rounded to 1/64 levels. Only the sum with Y is rounded to a level.
///
/// All int16 values are accepted, since ringing exceeds 0...255 * 64, and the result is clamped only at the end.
/// `output` takes 4 * width bytes at any alignment and must not overlap the input.
void ck_planes_ycc_rgba8(const int16_t *CK_NONNULL y, const int16_t *CK_NONNULL cb, const int16_t *CK_NONNULL cr,
                         size_t width, uint8_t *CK_NONNULL output);

/// Converts `width` samples of Y, Cb and Cr, in ITU-R BT.601 limited range as in video, to opaque RGBA. A Y of 16 is
/// black, a Y of 235 is white, and the range of Cb and Cr is 224 levels.
///
/// The result is exact except for 1/64 level in each product. The sum is rounded to a level. `output` takes 4 * width
/// bytes at any alignment and must not overlap the input.
void ck_planes_limited_rgba8(const int16_t *CK_NONNULL y, const int16_t *CK_NONNULL cb, const int16_t *CK_NONNULL cr,
                             size_t width, uint8_t *CK_NONNULL output);

/// Converts `width` samples of gray to opaque RGBA, rounded and clamped to 0...255. `output` takes 4 * width bytes at
/// any alignment and must not overlap the input.
void ck_planes_gray_rgba8(const int16_t *CK_NONNULL y, size_t width, uint8_t *CK_NONNULL output);

/// `ck_planes_pack8` with a limit on the instruction set, see `ck_isa`.
void ck_planes_pack8_isa(ck_isa isa, const uint8_t *CK_NULLABLE const *CK_NONNULL rows, size_t width,
                         int16_t *CK_NONNULL packed0, int16_t *CK_NONNULL packed1);

/// `ck_planes_vertical` with a limit on the instruction set, see `ck_isa`.
void ck_planes_vertical_isa(ck_isa isa, const int16_t *CK_NONNULL const *CK_NONNULL octets,
                            const int16_t *CK_NONNULL coefficients, size_t count, int32_t precision, size_t width,
                            int16_t *CK_NONNULL output);

/// `ck_planes_ycc_rgba8` with a limit on the instruction set, see `ck_isa`.
void ck_planes_ycc_rgba8_isa(ck_isa isa, const int16_t *CK_NONNULL y, const int16_t *CK_NONNULL cb,
                             const int16_t *CK_NONNULL cr, size_t width, uint8_t *CK_NONNULL output);

/// `ck_planes_limited_rgba8` with a limit on the instruction set, see `ck_isa`.
void ck_planes_limited_rgba8_isa(ck_isa isa, const int16_t *CK_NONNULL y, const int16_t *CK_NONNULL cb,
                                 const int16_t *CK_NONNULL cr, size_t width, uint8_t *CK_NONNULL output);

/// `ck_planes_gray_rgba8` with a limit on the instruction set, see `ck_isa`.
void ck_planes_gray_rgba8_isa(ck_isa isa, const int16_t *CK_NONNULL y, size_t width, uint8_t *CK_NONNULL output);

#if defined(__cplusplus)
}
#endif

#endif
