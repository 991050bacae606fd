/// The variants behind the public functions for converting colors.
#ifndef CK_COLOR_VARIANTS_H
#define CK_COLOR_VARIANTS_H

#include "include/color.h"
#include "isa_limit.h"

// These have the arguments of the public function.

void ck_convert_color8_scalar(const ck_color8 *CK_NONNULL color, uint8_t *CK_NONNULL pixels, size_t count);

#if defined(__x86_64__)

void ck_convert_color8_sse41(const ck_color8 *CK_NONNULL color, uint8_t *CK_NONNULL pixels, size_t count);

#endif

#if defined(__aarch64__)

void ck_convert_color8_neon(const ck_color8 *CK_NONNULL color, uint8_t *CK_NONNULL pixels, size_t count);

#endif

#endif
