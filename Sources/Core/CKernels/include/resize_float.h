/// Separable resampling of 16 bit and float RGBA with straight alpha, in float.
///
/// Working rows are float RGBA, 4 values per pixel, with color premultiplied by alpha, 1.0 for full intensity, and no
/// padding. Buffers need only the alignment of their elements; output must not overlap input. Results are the same bits
/// on every architecture: there is no fused multiply-add, and the order of additions is fixed.
#ifndef CK_RESIZE_FLOAT_H
#define CK_RESIZE_FLOAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// The source pixels that contribute to an output pixel of a horizontal pass over float rows.
typedef struct ck_window_f32 {
    /// The first source pixel, 0...width - taps.
    int32_t start;
    /// The number of taps, at least 0.
    int32_t taps;
    /// The index of the first of `taps` coefficients; tap k is source pixel `start + k`. Windows may share
    /// coefficients.
    int32_t offset;
} ck_window_f32;

/// Converts `width` RGBA pixels of 16 bits per component, in native byte order, to a working row: 65535 becomes 1.0.
/// `opaque` skips premultiplying and sets alpha to 1.
void ck_resize_pack_rgba16(const uint16_t *CK_NONNULL row, size_t width, bool opaque, float *CK_NONNULL output);

/// Converts `width` RGBA pixels of float components to a working row. Values are not clamped.
/// `opaque` skips premultiplying and sets alpha to 1.
void ck_resize_pack_rgbaf(const float *CK_NONNULL row, size_t width, bool opaque, float *CK_NONNULL output);

/// Filters a working row horizontally: output pixel i, of `count`, is the sum of coefficient * pixel over `windows[i]`.
/// Only the pixels and coefficients in the windows are read.
void ck_resize_horizontal_f32(const float *CK_NONNULL row, const ck_window_f32 *CK_NONNULL windows,
                              const float *CK_NONNULL coefficients, size_t count, float *CK_NONNULL output);

/// Filters `taps` working rows of `width` pixels vertically into one: the sum of coefficients[k] * rows[k].
void ck_resize_vertical_f32(const float *CK_NONNULL const *CK_NONNULL rows, const float *CK_NONNULL coefficients,
                            size_t taps, size_t width, float *CK_NONNULL output);

/// Converts a working row to `width` RGBA pixels of 16 bits per component in native byte order, with straight alpha,
/// clamped and rounded; NaN becomes 0. A pixel whose alpha rounds to 0 becomes four zeros. `opaque` copies color
/// without division and sets alpha to 65535.
void ck_resize_unpack_rgba16(const float *CK_NONNULL row, size_t width, bool opaque, uint16_t *CK_NONNULL output);

/// Converts a working row to `width` RGBA pixels of float components, with straight alpha. Alpha is clamped to 0...1,
/// and NaN becomes 0. Color is not clamped. An alpha of 0 results in four zeros. `opaque` copies color without division
/// and sets alpha to 1.
void ck_resize_unpack_rgbaf(const float *CK_NONNULL row, size_t width, bool opaque, float *CK_NONNULL output);

/// `ck_resize_pack_rgba16` with a limit on the instruction set, see `ck_isa`.
void ck_resize_pack_rgba16_isa(ck_isa isa, const uint16_t *CK_NONNULL row, size_t width, bool opaque,
                               float *CK_NONNULL output);

/// `ck_resize_pack_rgbaf` with a limit on the instruction set, see `ck_isa`.
void ck_resize_pack_rgbaf_isa(ck_isa isa, const float *CK_NONNULL row, size_t width, bool opaque,
                              float *CK_NONNULL output);

/// `ck_resize_horizontal_f32` with a limit on the instruction set, see `ck_isa`.
void ck_resize_horizontal_f32_isa(ck_isa isa, const float *CK_NONNULL row, const ck_window_f32 *CK_NONNULL windows,
                                  const float *CK_NONNULL coefficients, size_t count, float *CK_NONNULL output);

/// `ck_resize_vertical_f32` with a limit on the instruction set, see `ck_isa`.
void ck_resize_vertical_f32_isa(ck_isa isa, const float *CK_NONNULL const *CK_NONNULL rows,
                                const float *CK_NONNULL coefficients, size_t taps, size_t width,
                                float *CK_NONNULL output);

/// `ck_resize_unpack_rgba16` with a limit on the instruction set, see `ck_isa`.
void ck_resize_unpack_rgba16_isa(ck_isa isa, const float *CK_NONNULL row, size_t width, bool opaque,
                                 uint16_t *CK_NONNULL output);

/// `ck_resize_unpack_rgbaf` with a limit on the instruction set, see `ck_isa`.
void ck_resize_unpack_rgbaf_isa(ck_isa isa, const float *CK_NONNULL row, size_t width, bool opaque,
                                float *CK_NONNULL output);

#if defined(__cplusplus)
}
#endif

#endif
