/// The variants behind the public functions of linear.h, and their common functions. Arguments and results are those of
/// the public function of the same name.
#ifndef CK_LINEAR_H
#define CK_LINEAR_H

#include "isa_limit.h"

/// Packs the pixels of a row from `first`, which is even, to the end of the packed row.
void ck_linear_pack_from(const uint8_t *CK_NONNULL row, size_t first, size_t width, bool opaque,
                         const int16_t *CK_NONNULL table, int16_t *CK_NONNULL packed);

void ck_resize_pack8_linear_scalar(const uint8_t *CK_NONNULL row0, const uint8_t *CK_NULLABLE row1, size_t width,
                                   bool opaque, const int16_t *CK_NONNULL table, int16_t *CK_NONNULL packed0,
                                   int16_t *CK_NONNULL packed1);
void ck_resize_vertical8_linear_scalar(const int16_t *CK_NONNULL const *CK_NONNULL rows,
                                       const int16_t *CK_NONNULL coefficients, size_t pairs, int32_t precision,
                                       size_t width, bool opaque, const uint8_t *CK_NONNULL table,
                                       uint8_t *CK_NONNULL output);

#if defined(__x86_64__)

void ck_resize_pack8_linear_sse41(const uint8_t *CK_NONNULL row0, const uint8_t *CK_NULLABLE row1, size_t width,
                                  bool opaque, const int16_t *CK_NONNULL table, int16_t *CK_NONNULL packed0,
                                  int16_t *CK_NONNULL packed1);
void ck_resize_vertical8_linear_sse41(const int16_t *CK_NONNULL const *CK_NONNULL rows,
                                      const int16_t *CK_NONNULL coefficients, size_t pairs, int32_t precision,
                                      size_t width, bool opaque, const uint8_t *CK_NONNULL table,
                                      uint8_t *CK_NONNULL output);

void ck_resize_pack8_linear_avx2(const uint8_t *CK_NONNULL row0, const uint8_t *CK_NULLABLE row1, size_t width,
                                 bool opaque, const int16_t *CK_NONNULL table, int16_t *CK_NONNULL packed0,
                                 int16_t *CK_NONNULL packed1);
void ck_resize_vertical8_linear_avx2(const int16_t *CK_NONNULL const *CK_NONNULL rows,
                                     const int16_t *CK_NONNULL coefficients, size_t pairs, int32_t precision,
                                     size_t width, bool opaque, const uint8_t *CK_NONNULL table,
                                     uint8_t *CK_NONNULL output);

/// Requires AVX-512 VBMI in addition to CK_AVX512.
void ck_resize_pack8_linear_vbmi(const uint8_t *CK_NONNULL row0, const uint8_t *CK_NULLABLE row1, size_t width,
                                 bool opaque, const int16_t *CK_NONNULL table, int16_t *CK_NONNULL packed0,
                                 int16_t *CK_NONNULL packed1);

#endif

#if defined(__aarch64__)

void ck_resize_pack8_linear_neon(const uint8_t *CK_NONNULL row0, const uint8_t *CK_NULLABLE row1, size_t width,
                                 bool opaque, const int16_t *CK_NONNULL table, int16_t *CK_NONNULL packed0,
                                 int16_t *CK_NONNULL packed1);
void ck_resize_vertical8_linear_neon(const int16_t *CK_NONNULL const *CK_NONNULL rows,
                                     const int16_t *CK_NONNULL coefficients, size_t pairs, int32_t precision,
                                     size_t width, bool opaque, const uint8_t *CK_NONNULL table,
                                     uint8_t *CK_NONNULL output);

#endif

#endif
