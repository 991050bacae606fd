/// The variants behind the public functions for sharpening, with the same arguments. Floats have no variants.
#ifndef CK_SHARPEN_VARIANTS_H
#define CK_SHARPEN_VARIANTS_H

#include "include/sharpen.h"
#include "isa_limit.h"

void ck_sharpen_rgba8_scalar(const uint8_t *CK_NONNULL pixels, const uint8_t *CK_NONNULL blurred, float amount,
                             float threshold, uint8_t *CK_NONNULL result, size_t count);
void ck_sharpen_rgba16_scalar(const uint16_t *CK_NONNULL pixels, const uint16_t *CK_NONNULL blurred, float amount,
                              float threshold, uint16_t *CK_NONNULL result, size_t count);

#if defined(__x86_64__)

void ck_sharpen_rgba8_avx2(const uint8_t *CK_NONNULL pixels, const uint8_t *CK_NONNULL blurred, float amount,
                           float threshold, uint8_t *CK_NONNULL result, size_t count);
void ck_sharpen_rgba16_avx2(const uint16_t *CK_NONNULL pixels, const uint16_t *CK_NONNULL blurred, float amount,
                            float threshold, uint16_t *CK_NONNULL result, size_t count);

#endif

#endif
