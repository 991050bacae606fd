/// The variants behind the public functions. Arguments and results are those of the public function of the same name.
#ifndef CK_VARIANTS_H
#define CK_VARIANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/CKernels.h"

/// Returns the highest level up to `limit` that this processor supports.
static inline ck_isa ck_usable_isa(ck_isa limit) {
    ck_isa best = ck_best_isa();
    return limit < best ? limit : best;
}

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

uint32_t ck_crc32c_scalar(uint32_t crc, const void *CK_NULLABLE bytes, size_t count);

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

uint32_t ck_crc32c_sse42(uint32_t crc, const void *CK_NULLABLE bytes, size_t count);
uint32_t ck_crc32c_avx512(uint32_t crc, const void *CK_NULLABLE bytes, size_t count);

#endif

#if defined(__aarch64__)

void ck_resize_pack8_neon(const uint8_t *CK_NONNULL row0, const uint8_t *CK_NULLABLE row1, size_t width, bool opaque,
                          int16_t *CK_NONNULL packed0, int16_t *CK_NONNULL packed1);
void ck_resize_horizontal8_neon(const int16_t *CK_NONNULL packed0, const int16_t *CK_NONNULL packed1,
                                const ck_window8 *CK_NONNULL windows, const int16_t *CK_NONNULL coefficients,
                                int32_t precision, size_t count, int16_t *CK_NONNULL output);
void ck_resize_vertical8_neon(const int16_t *CK_NONNULL const *CK_NONNULL rows, const int16_t *CK_NONNULL coefficients,
                              size_t pairs, int32_t precision, size_t width, bool opaque, uint8_t *CK_NONNULL output);

uint32_t ck_crc32c_arm(uint32_t crc, const void *CK_NULLABLE bytes, size_t count);

#endif

#endif
