/// The choice of a variant, which all dispatching functions share.
#ifndef CK_ISA_LIMIT_H
#define CK_ISA_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/CKernels.h"

/// Returns the highest level up to `limit` that this processor supports.
static inline ck_isa ck_usable_isa(ck_isa limit) {
    ck_isa best = ck_best_isa();
    return limit < best ? limit : best;
}

#endif
