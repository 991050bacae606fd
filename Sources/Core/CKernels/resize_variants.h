/// The variants behind the public functions for resizing. Arguments and results are those of the public function of the
/// same name.
#ifndef CK_RESIZE_VARIANTS_H
#define CK_RESIZE_VARIANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa_limit.h"

void ck_resize_pack8_scalar(const uint8_t *CK_NONNULL row0, const uint8_t *CK_NULLABLE row1, size_t width, bool opaque,
                            int16_t *CK_NONNULL packed0, int16_t *CK_NONNULL packed1);
void ck_resize_horizontal8_scalar(const int16_t *CK_NONNULL packed0, const int16_t *CK_NONNULL packed1,
                                  const ck_window8 *CK_NONNULL windows, const int16_t *CK_NONNULL coefficients,
                                  int32_t precision, size_t count, int16_t *CK_NONNULL output);
void ck_resize_vertical8_scalar(const int16_t *CK_NONNULL const *CK_NONNULL rows,
                                const int16_t *CK_NONNULL coefficients, size_t pairs, int32_t precision, size_t width,
                                bool opaque, uint8_t *CK_NONNULL output);

void ck_resize_pack_rgba16_scalar(const uint16_t *CK_NONNULL row, size_t width, bool opaque, float *CK_NONNULL output);
void ck_resize_pack_rgbaf_scalar(const float *CK_NONNULL row, size_t width, bool opaque, float *CK_NONNULL output);
void ck_resize_horizontal_f32_scalar(const float *CK_NONNULL row, const ck_window_f32 *CK_NONNULL windows,
                                     const float *CK_NONNULL coefficients, size_t count, float *CK_NONNULL output);
void ck_resize_vertical_f32_scalar(const float *CK_NONNULL const *CK_NONNULL rows, const float *CK_NONNULL coefficients,
                                   size_t taps, size_t width, float *CK_NONNULL output);
void ck_resize_unpack_rgba16_scalar(const float *CK_NONNULL row, size_t width, bool opaque,
                                    uint16_t *CK_NONNULL output);
void ck_resize_unpack_rgbaf_scalar(const float *CK_NONNULL row, size_t width, bool opaque, float *CK_NONNULL output);

#if defined(__x86_64__)

void ck_resize_pack8_sse41(const uint8_t *CK_NONNULL row0, const uint8_t *CK_NULLABLE row1, size_t width, bool opaque,
                           int16_t *CK_NONNULL packed0, int16_t *CK_NONNULL packed1);
void ck_resize_horizontal8_sse41(const int16_t *CK_NONNULL packed0, const int16_t *CK_NONNULL packed1,
                                 const ck_window8 *CK_NONNULL windows, const int16_t *CK_NONNULL coefficients,
                                 int32_t precision, size_t count, int16_t *CK_NONNULL output);
void ck_resize_vertical8_sse41(const int16_t *CK_NONNULL const *CK_NONNULL rows, const int16_t *CK_NONNULL coefficients,
                               size_t pairs, int32_t precision, size_t width, bool opaque, uint8_t *CK_NONNULL output);

void ck_resize_pack8_avx2(const uint8_t *CK_NONNULL row0, const uint8_t *CK_NULLABLE row1, size_t width, bool opaque,
                          int16_t *CK_NONNULL packed0, int16_t *CK_NONNULL packed1);
void ck_resize_horizontal8_avx2(const int16_t *CK_NONNULL packed0, const int16_t *CK_NONNULL packed1,
                                const ck_window8 *CK_NONNULL windows, const int16_t *CK_NONNULL coefficients,
                                int32_t precision, size_t count, int16_t *CK_NONNULL output);
void ck_resize_vertical8_avx2(const int16_t *CK_NONNULL const *CK_NONNULL rows, const int16_t *CK_NONNULL coefficients,
                              size_t pairs, int32_t precision, size_t width, bool opaque, uint8_t *CK_NONNULL output);

void ck_resize_pack8_avx512(const uint8_t *CK_NONNULL row0, const uint8_t *CK_NULLABLE row1, size_t width, bool opaque,
                            int16_t *CK_NONNULL packed0, int16_t *CK_NONNULL packed1);
void ck_resize_horizontal8_avx512(const int16_t *CK_NONNULL packed0, const int16_t *CK_NONNULL packed1,
                                  const ck_window8 *CK_NONNULL windows, const int16_t *CK_NONNULL coefficients,
                                  int32_t precision, size_t count, int16_t *CK_NONNULL output);
void ck_resize_vertical8_avx512(const int16_t *CK_NONNULL const *CK_NONNULL rows,
                                const int16_t *CK_NONNULL coefficients, size_t pairs, int32_t precision, size_t width,
                                bool opaque, uint8_t *CK_NONNULL output);

void ck_resize_pack_rgba16_avx2(const uint16_t *CK_NONNULL row, size_t width, bool opaque, float *CK_NONNULL output);
void ck_resize_pack_rgbaf_avx2(const float *CK_NONNULL row, size_t width, bool opaque, float *CK_NONNULL output);
void ck_resize_horizontal_f32_avx2(const float *CK_NONNULL row, const ck_window_f32 *CK_NONNULL windows,
                                   const float *CK_NONNULL coefficients, size_t count, float *CK_NONNULL output);
void ck_resize_vertical_f32_avx2(const float *CK_NONNULL const *CK_NONNULL rows, const float *CK_NONNULL coefficients,
                                 size_t taps, size_t width, float *CK_NONNULL output);
void ck_resize_unpack_rgba16_avx2(const float *CK_NONNULL row, size_t width, bool opaque, uint16_t *CK_NONNULL output);
void ck_resize_unpack_rgbaf_avx2(const float *CK_NONNULL row, size_t width, bool opaque, float *CK_NONNULL output);

void ck_resize_horizontal_f32_avx512(const float *CK_NONNULL row, const ck_window_f32 *CK_NONNULL windows,
                                     const float *CK_NONNULL coefficients, size_t count, float *CK_NONNULL output);
void ck_resize_unpack_rgba16_avx512(const float *CK_NONNULL row, size_t width, bool opaque,
                                    uint16_t *CK_NONNULL output);

#endif

#if defined(__aarch64__)

void ck_resize_pack8_neon(const uint8_t *CK_NONNULL row0, const uint8_t *CK_NULLABLE row1, size_t width, bool opaque,
                          int16_t *CK_NONNULL packed0, int16_t *CK_NONNULL packed1);
void ck_resize_horizontal8_neon(const int16_t *CK_NONNULL packed0, const int16_t *CK_NONNULL packed1,
                                const ck_window8 *CK_NONNULL windows, const int16_t *CK_NONNULL coefficients,
                                int32_t precision, size_t count, int16_t *CK_NONNULL output);
void ck_resize_vertical8_neon(const int16_t *CK_NONNULL const *CK_NONNULL rows, const int16_t *CK_NONNULL coefficients,
                              size_t pairs, int32_t precision, size_t width, bool opaque, uint8_t *CK_NONNULL output);

#endif

#endif
