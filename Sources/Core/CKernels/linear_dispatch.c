#include "linear_variants.h"

void ck_resize_pack8_linear_isa(ck_isa isa, const uint8_t *row0, const uint8_t *row1, size_t width, bool opaque,
                                const int16_t *table, int16_t *packed0, int16_t *packed1) {
    isa = ck_usable_isa(isa);
#if defined(__x86_64__)
    if (isa >= CK_AVX512 && __builtin_cpu_supports("avx512vbmi")) {
        ck_resize_pack8_linear_vbmi(row0, row1, width, opaque, table, packed0, packed1);
        return;
    }
    if (isa >= CK_AVX2) {
        ck_resize_pack8_linear_avx2(row0, row1, width, opaque, table, packed0, packed1);
        return;
    }
    if (isa >= CK_SSE42) {
        ck_resize_pack8_linear_sse41(row0, row1, width, opaque, table, packed0, packed1);
        return;
    }
#elif defined(__aarch64__)
    if (isa >= CK_NEON) {
        ck_resize_pack8_linear_neon(row0, row1, width, opaque, table, packed0, packed1);
        return;
    }
#endif
    ck_resize_pack8_linear_scalar(row0, row1, width, opaque, table, packed0, packed1);
}

void ck_resize_vertical8_linear_isa(ck_isa isa, const int16_t *const *rows, const int16_t *coefficients, size_t pairs,
                                    int32_t precision, size_t width, bool opaque, const uint8_t *table,
                                    uint8_t *output) {
    isa = ck_usable_isa(isa);
#if defined(__x86_64__)
    if (isa >= CK_AVX2) {
        ck_resize_vertical8_linear_avx2(rows, coefficients, pairs, precision, width, opaque, table, output);
        return;
    }
    if (isa >= CK_SSE42) {
        ck_resize_vertical8_linear_sse41(rows, coefficients, pairs, precision, width, opaque, table, output);
        return;
    }
#elif defined(__aarch64__)
    if (isa >= CK_NEON) {
        ck_resize_vertical8_linear_neon(rows, coefficients, pairs, precision, width, opaque, table, output);
        return;
    }
#endif
    ck_resize_vertical8_linear_scalar(rows, coefficients, pairs, precision, width, opaque, table, output);
}

void ck_resize_pack8_linear(const uint8_t *row0, const uint8_t *row1, size_t width, bool opaque, const int16_t *table,
                            int16_t *packed0, int16_t *packed1) {
    ck_resize_pack8_linear_isa(ck_best_isa(), row0, row1, width, opaque, table, packed0, packed1);
}

void ck_resize_vertical8_linear(const int16_t *const *rows, const int16_t *coefficients, size_t pairs,
                                int32_t precision, size_t width, bool opaque, const uint8_t *table, uint8_t *output) {
    ck_resize_vertical8_linear_isa(ck_best_isa(), rows, coefficients, pairs, precision, width, opaque, table, output);
}
