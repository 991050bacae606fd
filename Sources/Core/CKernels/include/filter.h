/// Applying filters to PNG rows, and measuring what they gain. Source: W3C PNG, third edition, sections 9 and 12.7.
#ifndef CK_FILTER_H
#define CK_FILTER_H

#include <stddef.h>
#include <stdint.h>

#include "isa.h"
#include "unfilter.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// Applies a filter to a row, and returns the sum of the distances of all filtered bytes from 0, modulo 256: 255 is as
/// near to 0 as 1. Rows with a small sum usually compress well.
///
/// `row` and `above` have `count` bytes; for the first row of a picture, `above` contains zeros. `filtered` receives
/// `count` bytes, and must not overlap the others. `step` is the number of bytes of a whole pixel, at least 1.
uint64_t ck_filter_row(ck_filter filter, uint8_t *CK_NONNULL filtered, const uint8_t *CK_NONNULL row,
                       const uint8_t *CK_NONNULL above, size_t count, size_t step);

/// `ck_filter_row` with a limit on the instruction set, see `ck_isa`.
uint64_t ck_filter_row_isa(ck_isa isa, ck_filter filter, uint8_t *CK_NONNULL filtered, const uint8_t *CK_NONNULL row,
                           const uint8_t *CK_NONNULL above, size_t count, size_t step);

/// The memory of `ck_count_pairs`. All bytes must be 0 before the first use.
typedef struct ck_pairs {
    /// For each pair of bytes, the last round in which the pair occurred.
    uint8_t rounds[1 << 16];
    /// The number of the current round, from 1.
    uint8_t round;
} ck_pairs;

/// Returns the number of different pairs of adjacent bytes in a row. Drawn pictures, in which patterns repeat, compress
/// best if each row is filtered such that this number is small. Stops when the number has reached `limit`, and returns
/// `limit`.
size_t ck_count_pairs(ck_pairs *CK_NONNULL pairs, const uint8_t *CK_NONNULL bytes, size_t count, size_t limit);

#if defined(__cplusplus)
}
#endif

#endif
