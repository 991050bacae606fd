/// The variants behind the public function for applying filters.
#ifndef CK_FILTER_VARIANTS_H
#define CK_FILTER_VARIANTS_H

#include "include/filter.h"
#include "isa_limit.h"

// These have the arguments of the public function. Neighbors outside of the row are 0.

uint64_t ck_filter_row_scalar(ck_filter filter, uint8_t *CK_NONNULL filtered, const uint8_t *CK_NONNULL row,
                              const uint8_t *CK_NONNULL above, size_t count, size_t step);

/// Filters the bytes from `start` on.
uint64_t ck_filter_part_scalar(ck_filter filter, uint8_t *CK_NONNULL filtered, const uint8_t *CK_NONNULL row,
                               const uint8_t *CK_NONNULL above, size_t start, size_t count, size_t step);

#if defined(__x86_64__)

uint64_t ck_filter_row_sse41(ck_filter filter, uint8_t *CK_NONNULL filtered, const uint8_t *CK_NONNULL row,
                             const uint8_t *CK_NONNULL above, size_t count, size_t step);

#endif

#if defined(__aarch64__)

uint64_t ck_filter_row_neon(ck_filter filter, uint8_t *CK_NONNULL filtered, const uint8_t *CK_NONNULL row,
                            const uint8_t *CK_NONNULL above, size_t count, size_t step);

#endif

#endif
