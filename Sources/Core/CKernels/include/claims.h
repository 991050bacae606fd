/// Properties of all pixels in a row, in loops that compilers vectorize.
#ifndef CK_CLAIMS_H
#define CK_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>

#include "isa.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// Returns whether the alpha of all `width` pixels is full. `bytes_per_channel` is 1 (8 bits), 2 (16 bits) or 4 (a
/// float, which is full from 1 on). `row` is aligned to a channel.
bool ck_is_opaque(const void *CK_NONNULL row, size_t width, size_t bytes_per_channel);

/// Returns whether red, green and blue of each of `width` pixels are equal. NaN is equal to nothing.
/// `bytes_per_channel` is 1 (8 bits), 2 (16 bits) or 4 (a float). `row` is aligned to a channel.
bool ck_is_gray(const void *CK_NONNULL row, size_t width, size_t bytes_per_channel);

#if defined(__cplusplus)
}
#endif

#endif
