#include "filter_variants.h"

uint64_t ck_filter_row_isa(ck_isa isa, ck_filter filter, uint8_t *filtered, const uint8_t *row, const uint8_t *above,
                           size_t count, size_t step) {
    isa = ck_usable_isa(isa);
#if defined(__x86_64__)
    if (isa >= CK_SSE42) return ck_filter_row_sse41(filter, filtered, row, above, count, step);
#elif defined(__aarch64__)
    if (isa >= CK_NEON) return ck_filter_row_neon(filter, filtered, row, above, count, step);
#endif
    return ck_filter_row_scalar(filter, filtered, row, above, count, step);
}

uint64_t ck_filter_row(ck_filter filter, uint8_t *filtered, const uint8_t *row, const uint8_t *above, size_t count,
                       size_t step) {
    return ck_filter_row_isa(ck_best_isa(), filter, filtered, row, above, count, step);
}
