/// The variants behind the public function for undoing filters.
#ifndef CK_UNFILTER_VARIANTS_H
#define CK_UNFILTER_VARIANTS_H

#include "isa_limit.h"

// These add the prediction to each byte, and have the arguments of the public function.

void ck_unfilter_sub_scalar(uint8_t *CK_NONNULL row, size_t count, size_t step);
void ck_unfilter_up(uint8_t *CK_NONNULL row, const uint8_t *CK_NONNULL above, size_t count);
void ck_unfilter_average_scalar(uint8_t *CK_NONNULL row, const uint8_t *CK_NONNULL above, size_t count, size_t step);
void ck_unfilter_paeth_scalar(uint8_t *CK_NONNULL row, const uint8_t *CK_NONNULL above, size_t count, size_t step);

#if defined(__x86_64__)

void ck_unfilter_sub_sse41(uint8_t *CK_NONNULL row, size_t count, size_t step);
void ck_unfilter_average_sse41(uint8_t *CK_NONNULL row, const uint8_t *CK_NONNULL above, size_t count, size_t step);
void ck_unfilter_paeth_sse41(uint8_t *CK_NONNULL row, const uint8_t *CK_NONNULL above, size_t count, size_t step);

#endif

#if defined(__aarch64__)

void ck_unfilter_sub_neon(uint8_t *CK_NONNULL row, size_t count, size_t step);
void ck_unfilter_average_neon(uint8_t *CK_NONNULL row, const uint8_t *CK_NONNULL above, size_t count, size_t step);
void ck_unfilter_paeth_neon(uint8_t *CK_NONNULL row, const uint8_t *CK_NONNULL above, size_t count, size_t step);

#endif

#endif
