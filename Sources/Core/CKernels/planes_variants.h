/// The variants behind the public functions of planes.h, and their common functions and constants. Arguments and
/// results are those of the public function of the same name.
#ifndef CK_PLANES_VARIANTS_H
#define CK_PLANES_VARIANTS_H

#include "isa_limit.h"

/// The factors of ITU-R BT.601 in units of 2^-16, as in libjpeg.
enum {
    CK_YCC_RED_CR = 91881,
    CK_YCC_GREEN_CB = -22554,
    CK_YCC_GREEN_CR = -46802,
    CK_YCC_BLUE_CB = 116130,
    CK_YCC_HALF = 1 << 15,
};

/// The factors without whole multiples of Cb and Cr, for the SIMD variants, whose factors have 16 bits.
///
/// From one level of chroma to the next, such a product rises or falls by less than 1. The low 16 bits of one product,
/// as an int16, are its rounding error, and determine the rounding of the next. It rises if they exceed 32767 minus the
/// step, and falls if they are below -32768 plus the step.
enum {
    CK_YCC_RED_CR_PART = CK_YCC_RED_CR - (1 << 16),
    CK_YCC_GREEN_CR_PART = CK_YCC_GREEN_CR + (1 << 16),
    CK_YCC_BLUE_CB_PART = CK_YCC_BLUE_CB - (2 << 16),
    /// Red rises by 2 levels instead of 1 above this value.
    CK_YCC_RED_UP = INT16_MAX - CK_YCC_RED_CR_PART,
    /// Blue rises by 1 level instead of 2 below this value.
    CK_YCC_BLUE_DOWN = INT16_MIN - CK_YCC_BLUE_CB_PART,
    /// Green falls by a level with Cb below this value.
    CK_YCC_GREEN_DOWN_CB = INT16_MIN - CK_YCC_GREEN_CB,
    /// Green falls by a level with Cr below this value.
    CK_YCC_GREEN_DOWN_CR = INT16_MIN - CK_YCC_GREEN_CR,
    /// Green falls by 2 levels instead of 1 with both Cb and Cr below this value.
    CK_YCC_GREEN_DOWN_BOTH = INT16_MIN - CK_YCC_GREEN_CB - CK_YCC_GREEN_CR - (1 << 16),
};

/// The factors of limited range without whole multiples, in units of 2^-15. Source: ITU-R BT.601-7, section 2.5, with
/// 219 levels of Y and 224 of Cb and Cr.
enum {
    CK_LIMITED_Y_PART = 5387,
    CK_LIMITED_RED_CR_PART = 19531,
    CK_LIMITED_GREEN_CB = -12837,
    CK_LIMITED_GREEN_CR = -26639,
    CK_LIMITED_BLUE_CB_PART = 565,
    /// Black in units of 1/64.
    CK_LIMITED_BLACK = 16 * 64,
    /// Neutral chroma in units of 1/64.
    CK_LIMITED_NEUTRAL = 128 * 64,
};

/// Packs four rows from pixel `first`, which is even and may exceed `width`, to the end of the packed row.
void ck_planes_pack_from(const uint8_t *CK_NULLABLE const *CK_NONNULL rows, size_t first, size_t width,
                         int16_t *CK_NONNULL packed);

void ck_planes_pack8_scalar(const uint8_t *CK_NULLABLE const *CK_NONNULL rows, size_t width,
                            int16_t *CK_NONNULL packed0, int16_t *CK_NONNULL packed1);
void ck_planes_vertical_scalar(const int16_t *CK_NONNULL const *CK_NONNULL octets,
                               const int16_t *CK_NONNULL coefficients, size_t count, int32_t precision, size_t width,
                               int16_t *CK_NONNULL output);
void ck_planes_ycc_rgba8_scalar(const int16_t *CK_NONNULL y, const int16_t *CK_NONNULL cb,
                                const int16_t *CK_NONNULL cr, size_t width, uint8_t *CK_NONNULL output);
void ck_planes_limited_rgba8_scalar(const int16_t *CK_NONNULL y, const int16_t *CK_NONNULL cb,
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
void ck_planes_limited_rgba8_sse41(const int16_t *CK_NONNULL y, const int16_t *CK_NONNULL cb,
                                   const int16_t *CK_NONNULL cr, size_t width, uint8_t *CK_NONNULL output);
void ck_planes_gray_rgba8_sse41(const int16_t *CK_NONNULL y, size_t width, uint8_t *CK_NONNULL output);

void ck_planes_pack8_avx2(const uint8_t *CK_NULLABLE const *CK_NONNULL rows, size_t width, int16_t *CK_NONNULL packed0,
                          int16_t *CK_NONNULL packed1);
void ck_planes_vertical_avx2(const int16_t *CK_NONNULL const *CK_NONNULL octets,
                             const int16_t *CK_NONNULL coefficients, size_t count, int32_t precision, size_t width,
                             int16_t *CK_NONNULL output);
void ck_planes_ycc_rgba8_avx2(const int16_t *CK_NONNULL y, const int16_t *CK_NONNULL cb, const int16_t *CK_NONNULL cr,
                              size_t width, uint8_t *CK_NONNULL output);
void ck_planes_limited_rgba8_avx2(const int16_t *CK_NONNULL y, const int16_t *CK_NONNULL cb,
                                  const int16_t *CK_NONNULL cr, size_t width, uint8_t *CK_NONNULL output);
void ck_planes_gray_rgba8_avx2(const int16_t *CK_NONNULL y, size_t width, uint8_t *CK_NONNULL output);

void ck_planes_pack8_avx512(const uint8_t *CK_NULLABLE const *CK_NONNULL rows, size_t width,
                            int16_t *CK_NONNULL packed0, int16_t *CK_NONNULL packed1);
void ck_planes_vertical_avx512(const int16_t *CK_NONNULL const *CK_NONNULL octets,
                               const int16_t *CK_NONNULL coefficients, size_t count, int32_t precision, size_t width,
                               int16_t *CK_NONNULL output);
void ck_planes_ycc_rgba8_avx512(const int16_t *CK_NONNULL y, const int16_t *CK_NONNULL cb, const int16_t *CK_NONNULL cr,
                                size_t width, uint8_t *CK_NONNULL output);

#endif

#if defined(__aarch64__)

void ck_planes_pack8_neon(const uint8_t *CK_NULLABLE const *CK_NONNULL rows, size_t width, int16_t *CK_NONNULL packed0,
                          int16_t *CK_NONNULL packed1);
void ck_planes_vertical_neon(const int16_t *CK_NONNULL const *CK_NONNULL octets,
                             const int16_t *CK_NONNULL coefficients, size_t count, int32_t precision, size_t width,
                             int16_t *CK_NONNULL output);
void ck_planes_ycc_rgba8_neon(const int16_t *CK_NONNULL y, const int16_t *CK_NONNULL cb, const int16_t *CK_NONNULL cr,
                              size_t width, uint8_t *CK_NONNULL output);
void ck_planes_limited_rgba8_neon(const int16_t *CK_NONNULL y, const int16_t *CK_NONNULL cb,
                                  const int16_t *CK_NONNULL cr, size_t width, uint8_t *CK_NONNULL output);
void ck_planes_gray_rgba8_neon(const int16_t *CK_NONNULL y, size_t width, uint8_t *CK_NONNULL output);

#endif

#endif
