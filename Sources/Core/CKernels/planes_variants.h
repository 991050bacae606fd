/// The variants behind the public functions of planes.h, and what they share. Arguments and results are those of the
/// public function of the same name.
#ifndef CK_PLANES_VARIANTS_H
#define CK_PLANES_VARIANTS_H

#include "kernels.h"

/// The factors of ITU-R BT.601 in units of 2^-14: the largest at which sums of three products fit into an int32.
enum {
    CK_YCC_ONE = 1 << 14,
    CK_YCC_RED_CR = 22970,
    CK_YCC_GREEN_CB = -5638,
    CK_YCC_GREEN_CR = -11700,
    CK_YCC_BLUE_CB = 29032,
    /// From units of 2^-14 / 64 to levels.
    CK_YCC_SHIFT = 14 + 6,
    /// What rounds, less the products with the Cb and Cr of gray.
    CK_YCC_HALF = 1 << (CK_YCC_SHIFT - 1),
    CK_YCC_RED = CK_YCC_HALF - CK_YCC_RED_CR * 128 * 64,
    CK_YCC_GREEN = CK_YCC_HALF - (CK_YCC_GREEN_CB + CK_YCC_GREEN_CR) * 128 * 64,
    CK_YCC_BLUE = CK_YCC_HALF - CK_YCC_BLUE_CB * 128 * 64,
};

/// Packs four rows from pixel `first`, an even one, to the end of the packed row.
void ck_planes_pack_from(const uint8_t *CK_NULLABLE const *CK_NONNULL rows, size_t first, size_t width,
                         int16_t *CK_NONNULL packed);

void ck_planes_pack8_scalar(const uint8_t *CK_NULLABLE const *CK_NONNULL rows, size_t width,
                            int16_t *CK_NONNULL packed0, int16_t *CK_NONNULL packed1);
void ck_planes_vertical_scalar(const int16_t *CK_NONNULL const *CK_NONNULL octets,
                               const int16_t *CK_NONNULL coefficients, size_t count, int32_t precision, size_t width,
                               int16_t *CK_NONNULL output);
void ck_planes_ycc_rgba8_scalar(const int16_t *CK_NONNULL y, const int16_t *CK_NONNULL cb,
                                const int16_t *CK_NONNULL cr, size_t width, uint8_t *CK_NONNULL output);
void ck_planes_gray_rgba8_scalar(const int16_t *CK_NONNULL y, size_t width, uint8_t *CK_NONNULL output);

#if defined(__x86_64__)

void ck_planes_pack8_sse41(const uint8_t *CK_NULLABLE const *CK_NONNULL rows, size_t width,
                           int16_t *CK_NONNULL packed0, int16_t *CK_NONNULL packed1);
void ck_planes_vertical_sse41(const int16_t *CK_NONNULL const *CK_NONNULL octets,
                              const int16_t *CK_NONNULL coefficients, size_t count, int32_t precision, size_t width,
                              int16_t *CK_NONNULL output);
void ck_planes_ycc_rgba8_sse41(const int16_t *CK_NONNULL y, const int16_t *CK_NONNULL cb, const int16_t *CK_NONNULL cr,
                               size_t width, uint8_t *CK_NONNULL output);
void ck_planes_gray_rgba8_sse41(const int16_t *CK_NONNULL y, size_t width, uint8_t *CK_NONNULL output);

void ck_planes_pack8_avx2(const uint8_t *CK_NULLABLE const *CK_NONNULL rows, size_t width, int16_t *CK_NONNULL packed0,
                          int16_t *CK_NONNULL packed1);
void ck_planes_vertical_avx2(const int16_t *CK_NONNULL const *CK_NONNULL octets,
                             const int16_t *CK_NONNULL coefficients, size_t count, int32_t precision, size_t width,
                             int16_t *CK_NONNULL output);
void ck_planes_ycc_rgba8_avx2(const int16_t *CK_NONNULL y, const int16_t *CK_NONNULL cb, const int16_t *CK_NONNULL cr,
                              size_t width, uint8_t *CK_NONNULL output);
void ck_planes_gray_rgba8_avx2(const int16_t *CK_NONNULL y, size_t width, uint8_t *CK_NONNULL output);

#endif

#if defined(__aarch64__)

void ck_planes_pack8_neon(const uint8_t *CK_NULLABLE const *CK_NONNULL rows, size_t width, int16_t *CK_NONNULL packed0,
                          int16_t *CK_NONNULL packed1);
void ck_planes_vertical_neon(const int16_t *CK_NONNULL const *CK_NONNULL octets,
                             const int16_t *CK_NONNULL coefficients, size_t count, int32_t precision, size_t width,
                             int16_t *CK_NONNULL output);
void ck_planes_ycc_rgba8_neon(const int16_t *CK_NONNULL y, const int16_t *CK_NONNULL cb, const int16_t *CK_NONNULL cr,
                              size_t width, uint8_t *CK_NONNULL output);
void ck_planes_gray_rgba8_neon(const int16_t *CK_NONNULL y, size_t width, uint8_t *CK_NONNULL output);

#endif

#endif
