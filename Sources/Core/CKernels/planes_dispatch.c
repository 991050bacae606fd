#include "planes_variants.h"

typedef struct variants {
    void (*pack8)(const uint8_t *const *, size_t, int16_t *, int16_t *);
    void (*vertical)(const int16_t *const *, const int16_t *, size_t, int32_t, size_t, int16_t *);
    void (*ycc_rgba8)(const int16_t *, const int16_t *, const int16_t *, size_t, uint8_t *);
    void (*limited_rgba8)(const int16_t *, const int16_t *, const int16_t *, size_t, uint8_t *);
    void (*gray_rgba8)(const int16_t *, size_t, uint8_t *);
} variants;

static const variants scalar = {
    ck_planes_pack8_scalar, ck_planes_vertical_scalar, ck_planes_ycc_rgba8_scalar,
    ck_planes_limited_rgba8_scalar, ck_planes_gray_rgba8_scalar,
};

#if defined(__x86_64__)
static const variants sse41 = {
    ck_planes_pack8_sse41, ck_planes_vertical_sse41, ck_planes_ycc_rgba8_sse41,
    ck_planes_limited_rgba8_sse41, ck_planes_gray_rgba8_sse41,
};

static const variants avx2 = {
    ck_planes_pack8_avx2, ck_planes_vertical_avx2, ck_planes_ycc_rgba8_avx2,
    ck_planes_limited_rgba8_avx2, ck_planes_gray_rgba8_avx2,
};

static const variants avx512 = {
    ck_planes_pack8_avx512, ck_planes_vertical_avx512, ck_planes_ycc_rgba8_avx512,
    ck_planes_limited_rgba8_avx2, ck_planes_gray_rgba8_avx2,
};
#endif

#if defined(__aarch64__)
static const variants neon = {
    ck_planes_pack8_neon, ck_planes_vertical_neon, ck_planes_ycc_rgba8_neon,
    ck_planes_limited_rgba8_neon, ck_planes_gray_rgba8_neon,
};
#endif

static const variants *variants_for(ck_isa isa) {
    isa = ck_usable_isa(isa);
#if defined(__x86_64__)
    if (isa >= CK_AVX512) {
        return &avx512;
    }
    if (isa >= CK_AVX2) {
        return &avx2;
    }
    if (isa >= CK_SSE42) {
        return &sse41;
    }
#elif defined(__aarch64__)
    if (isa >= CK_NEON) {
        return &neon;
    }
#endif
    return &scalar;
}

void ck_planes_pack8_isa(ck_isa isa, const uint8_t *const *rows, size_t width, int16_t *packed0, int16_t *packed1) {
    variants_for(isa)->pack8(rows, width, packed0, packed1);
}

void ck_planes_vertical_isa(ck_isa isa, const int16_t *const *octets, const int16_t *coefficients, size_t count,
                            int32_t precision, size_t width, int16_t *output) {
    variants_for(isa)->vertical(octets, coefficients, count, precision, width, output);
}

void ck_planes_ycc_rgba8_isa(ck_isa isa, const int16_t *y, const int16_t *cb, const int16_t *cr, size_t width,
                             uint8_t *output) {
    variants_for(isa)->ycc_rgba8(y, cb, cr, width, output);
}

void ck_planes_limited_rgba8_isa(ck_isa isa, const int16_t *y, const int16_t *cb, const int16_t *cr, size_t width,
                                 uint8_t *output) {
    variants_for(isa)->limited_rgba8(y, cb, cr, width, output);
}

void ck_planes_gray_rgba8_isa(ck_isa isa, const int16_t *y, size_t width, uint8_t *output) {
    variants_for(isa)->gray_rgba8(y, width, output);
}

void ck_planes_pack8(const uint8_t *const *rows, size_t width, int16_t *packed0, int16_t *packed1) {
    ck_planes_pack8_isa(ck_best_isa(), rows, width, packed0, packed1);
}

void ck_planes_vertical(const int16_t *const *octets, const int16_t *coefficients, size_t count, int32_t precision,
                        size_t width, int16_t *output) {
    ck_planes_vertical_isa(ck_best_isa(), octets, coefficients, count, precision, width, output);
}

void ck_planes_ycc_rgba8(const int16_t *y, const int16_t *cb, const int16_t *cr, size_t width, uint8_t *output) {
    ck_planes_ycc_rgba8_isa(ck_best_isa(), y, cb, cr, width, output);
}

void ck_planes_limited_rgba8(const int16_t *y, const int16_t *cb, const int16_t *cr, size_t width, uint8_t *output) {
    ck_planes_limited_rgba8_isa(ck_best_isa(), y, cb, cr, width, output);
}

void ck_planes_gray_rgba8(const int16_t *y, size_t width, uint8_t *output) {
    ck_planes_gray_rgba8_isa(ck_best_isa(), y, width, output);
}
