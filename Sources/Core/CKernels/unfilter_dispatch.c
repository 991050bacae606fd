#include "unfilter_variants.h"

static void undo_sub(ck_isa isa, uint8_t *row, size_t count, size_t step) {
#if defined(__x86_64__)
    if (isa >= CK_SSE42) {
        ck_unfilter_sub_sse41(row, count, step);
        return;
    }
#elif defined(__aarch64__)
    if (isa >= CK_NEON) {
        ck_unfilter_sub_neon(row, count, step);
        return;
    }
#endif
    ck_unfilter_sub_scalar(row, count, step);
}

static void undo_average(ck_isa isa, uint8_t *row, const uint8_t *above, size_t count, size_t step) {
#if defined(__x86_64__)
    if (isa >= CK_SSE42) {
        ck_unfilter_average_sse41(row, above, count, step);
        return;
    }
#elif defined(__aarch64__)
    if (isa >= CK_NEON) {
        ck_unfilter_average_neon(row, above, count, step);
        return;
    }
#endif
    ck_unfilter_average_scalar(row, above, count, step);
}

static void undo_paeth(ck_isa isa, uint8_t *row, const uint8_t *above, size_t count, size_t step) {
#if defined(__x86_64__)
    if (isa >= CK_SSE42) {
        ck_unfilter_paeth_sse41(row, above, count, step);
        return;
    }
#elif defined(__aarch64__)
    if (isa >= CK_NEON) {
        ck_unfilter_paeth_neon(row, above, count, step);
        return;
    }
#endif
    ck_unfilter_paeth_scalar(row, above, count, step);
}

void ck_unfilter_isa(ck_isa isa, ck_filter filter, uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    isa = ck_usable_isa(isa);
    switch (filter) {
        case CK_FILTER_SUB: undo_sub(isa, row, count, step); break;
        case CK_FILTER_UP: ck_unfilter_up(row, above, count); break;
        case CK_FILTER_AVERAGE: undo_average(isa, row, above, count, step); break;
        case CK_FILTER_PAETH: undo_paeth(isa, row, above, count, step); break;
        case CK_FILTER_NONE:
        case CK_FILTER_COUNT: break;
    }
}

void ck_unfilter(ck_filter filter, uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    ck_unfilter_isa(ck_best_isa(), filter, row, above, count, step);
}
