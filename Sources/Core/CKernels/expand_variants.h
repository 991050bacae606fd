/// The variants behind the public function for expanding red, green and blue with 8 bits, without a transparent color.
#ifndef CK_EXPAND_VARIANTS_H
#define CK_EXPAND_VARIANTS_H

#include "isa_limit.h"

void ck_expand_rgb8_scalar(const uint8_t *CK_NONNULL row, size_t width, uint8_t *CK_NONNULL output);

#if defined(__x86_64__)

void ck_expand_rgb8_sse41(const uint8_t *CK_NONNULL row, size_t width, uint8_t *CK_NONNULL output);

#endif

#if defined(__aarch64__)

void ck_expand_rgb8_neon(const uint8_t *CK_NONNULL row, size_t width, uint8_t *CK_NONNULL output);

#endif

#endif
