/// Undoing the filters of PNG rows. Source: W3C PNG, third edition, section 9.
#ifndef CK_UNFILTER_H
#define CK_UNFILTER_H

#include <stddef.h>
#include <stdint.h>

#include "isa.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// The filters of PNG, by the number at the beginning of a row.
typedef enum ck_filter {
    CK_FILTER_NONE = 0,
    CK_FILTER_SUB = 1,
    CK_FILTER_UP = 2,
    CK_FILTER_AVERAGE = 3,
    CK_FILTER_PAETH = 4,
    CK_FILTER_COUNT = 5
} ck_filter;

/// Undoes the filter of a row in place.
///
/// `row` has `count` bytes, without the number of the filter. `above` contains the `count` unfiltered bytes of the row
/// above; for the first row, it contains zeros. `step` is the number of bytes of a whole pixel, at least 1: 1, 2, 3, 4,
/// 6 or 8.
void ck_unfilter(ck_filter filter, uint8_t *CK_NONNULL row, const uint8_t *CK_NONNULL above, size_t count, size_t step);

/// `ck_unfilter` with a limit on the instruction set, see `ck_isa`.
void ck_unfilter_isa(ck_isa isa, ck_filter filter, uint8_t *CK_NONNULL row, const uint8_t *CK_NONNULL above,
                     size_t count, size_t step);

#if defined(__cplusplus)
}
#endif

#endif
