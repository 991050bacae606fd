#include "resize_variants.h"

typedef struct variants {
    void (*pack8)(const uint8_t *, const uint8_t *, size_t, bool, int16_t *, int16_t *);
    void (*horizontal8)(const int16_t *, const int16_t *, const ck_window8 *, const int16_t *, int32_t, size_t,
                        int16_t *);
    void (*vertical8)(const int16_t *const *, const int16_t *, size_t, int32_t, size_t, bool, uint8_t *);
} variants;

static const variants scalar = {
    ck_resize_pack8_scalar, ck_resize_horizontal8_scalar, ck_resize_vertical8_scalar,
};

#if defined(__x86_64__)
static const variants sse41 = {
    ck_resize_pack8_sse41, ck_resize_horizontal8_sse41, ck_resize_vertical8_sse41,
};

static const variants avx2 = {
    ck_resize_pack8_avx2, ck_resize_horizontal8_avx2, ck_resize_vertical8_avx2,
};

static const variants avx512 = {
    ck_resize_pack8_avx512, ck_resize_horizontal8_avx512, ck_resize_vertical8_avx512,
};
#endif

#if defined(__aarch64__)
static const variants neon = {
    ck_resize_pack8_neon, ck_resize_horizontal8_neon, ck_resize_vertical8_neon,
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

size_t ck_resize_packed_pixels(size_t width) {
    return ((width + 3) & ~(size_t)3) + 4;
}

void ck_resize_pack8_isa(ck_isa isa, const uint8_t *row0, const uint8_t *row1, size_t width, bool opaque,
                         int16_t *packed0, int16_t *packed1) {
    variants_for(isa)->pack8(row0, row1, width, opaque, packed0, packed1);
}

void ck_resize_horizontal8_isa(ck_isa isa, const int16_t *packed0, const int16_t *packed1, const ck_window8 *windows,
                               const int16_t *coefficients, int32_t precision, size_t count, int16_t *output) {
    variants_for(isa)->horizontal8(packed0, packed1, windows, coefficients, precision, count, output);
}

void ck_resize_vertical8_isa(ck_isa isa, const int16_t *const *rows, const int16_t *coefficients, size_t pairs,
                             int32_t precision, size_t width, bool opaque, uint8_t *output) {
    variants_for(isa)->vertical8(rows, coefficients, pairs, precision, width, opaque, output);
}

void ck_resize_pack8(const uint8_t *row0, const uint8_t *row1, size_t width, bool opaque, int16_t *packed0,
                     int16_t *packed1) {
    ck_resize_pack8_isa(ck_best_isa(), row0, row1, width, opaque, packed0, packed1);
}

void ck_resize_horizontal8(const int16_t *packed0, const int16_t *packed1, const ck_window8 *windows,
                           const int16_t *coefficients, int32_t precision, size_t count, int16_t *output) {
    ck_resize_horizontal8_isa(ck_best_isa(), packed0, packed1, windows, coefficients, precision, count, output);
}

void ck_resize_vertical8(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, int32_t precision,
                         size_t width, bool opaque, uint8_t *output) {
    ck_resize_vertical8_isa(ck_best_isa(), rows, coefficients, pairs, precision, width, opaque, output);
}
