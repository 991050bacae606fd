/// Resampling in linear light: replacements for the packing and the last steps of resize.h and resize_float.h. Packed
/// values are linear and then premultiplied by alpha; the filters in between are the same.
///
/// The transfer function is that of sRGB, IEC 61966-2-1. For 8 and 16 bit components it is a table of the caller.
/// Otherwise it is computed with the C library's `powf`, and mirrored at zero for negative color. Results of `powf` may
/// differ between C libraries in the last bit. Alpha is linear.
#ifndef CK_RESIZE_LINEAR_H
#define CK_RESIZE_LINEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// Packs two rows as `ck_resize_pack8` does, in linear light. Color c becomes table[c] if `opaque`, otherwise
/// round(table[c] * alpha / 255).
///
/// `table` contains the linear value, 0...16320, of each of 256 levels. Alpha becomes alpha * 64. All else is as in
/// `ck_resize_pack8`.
void ck_resize_pack8_linear(const uint8_t *CK_NONNULL row0, const uint8_t *CK_NULLABLE row1, size_t width, bool opaque,
                            const int16_t *CK_NONNULL table, int16_t *CK_NONNULL packed0, int16_t *CK_NONNULL packed1);

/// Filters row pairs as `ck_resize_vertical8` does, in linear light.
///
/// `table` contains the level of each of the linear values 0...16320; nothing else is read. With v as in
/// `ck_resize_vertical8`, the output is
/// - `opaque`: table[v], v clamped to 0...16320, and alpha 255;
/// - otherwise, with a = v of alpha: four zeros if a < 32, else alpha (a + 32) >> 6 clamped to 255 and color
///   table[(int)((float)v * 16320.0f / (float)a + 0.5f)], the index clamped to 0...16320.
void ck_resize_vertical8_linear(const int16_t *CK_NONNULL const *CK_NONNULL rows,
                                const int16_t *CK_NONNULL coefficients, size_t pairs, int32_t precision, size_t width,
                                bool opaque, const uint8_t *CK_NONNULL table, uint8_t *CK_NONNULL output);

/// Converts a row as `ck_resize_pack_rgba16` does, in linear light. `table` contains the linear value, 1.0 for full, of
/// each of 65536 levels.
void ck_resize_pack_rgba16_linear(const uint16_t *CK_NONNULL row, size_t width, bool opaque,
                                  const float *CK_NONNULL table, float *CK_NONNULL output);

/// Converts a row as `ck_resize_pack_rgbaf` does, in linear light.
void ck_resize_pack_rgbaf_linear(const float *CK_NONNULL row, size_t width, bool opaque, float *CK_NONNULL output);

/// Converts a working row of linear light to levels, as `ck_resize_unpack_rgba16` does.
void ck_resize_unpack_rgba16_linear(const float *CK_NONNULL row, size_t width, bool opaque,
                                    uint16_t *CK_NONNULL output);

/// Converts a working row of linear light to levels, as `ck_resize_unpack_rgbaf` does.
void ck_resize_unpack_rgbaf_linear(const float *CK_NONNULL row, size_t width, bool opaque, float *CK_NONNULL output);

/// `ck_resize_pack8_linear` with a limit on the instruction set, see `ck_isa`.
void ck_resize_pack8_linear_isa(ck_isa isa, const uint8_t *CK_NONNULL row0, const uint8_t *CK_NULLABLE row1,
                                size_t width, bool opaque, const int16_t *CK_NONNULL table,
                                int16_t *CK_NONNULL packed0, int16_t *CK_NONNULL packed1);

/// `ck_resize_vertical8_linear` with a limit on the instruction set, see `ck_isa`.
void ck_resize_vertical8_linear_isa(ck_isa isa, const int16_t *CK_NONNULL const *CK_NONNULL rows,
                                    const int16_t *CK_NONNULL coefficients, size_t pairs, int32_t precision,
                                    size_t width, bool opaque, const uint8_t *CK_NONNULL table,
                                    uint8_t *CK_NONNULL output);

#if defined(__cplusplus)
}
#endif

#endif
