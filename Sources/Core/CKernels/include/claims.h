/// What is true of all pixels of a row: loops that compilers make wide by themselves.
#ifndef CK_CLAIMS_H
#define CK_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>

#include "isa.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// Whether the alpha of all `width` pixels is full. A channel has 1, 2 or 4 bytes: 8 bits, 16 bits or a float, whose
/// full value is 1 or more. `row` is aligned to a channel.
bool ck_is_opaque(const void *CK_NONNULL row, size_t width, size_t bytes_per_channel);

/// Whether red, green and blue of each of `width` pixels are equal. Floats that are not numbers are equal to nothing.
/// Arguments as above.
bool ck_is_gray(const void *CK_NONNULL row, size_t width, size_t bytes_per_channel);

#if defined(__cplusplus)
}
#endif

#endif
