#include "resize_variants.h"

typedef struct variants {
    void (*pack_rgba16)(const uint16_t *, size_t, bool, float *);
    void (*pack_rgbaf)(const float *, size_t, bool, float *);
    void (*horizontal_f32)(const float *, const ck_window_f32 *, const float *, size_t, float *);
    void (*vertical_f32)(const float *const *, const float *, size_t, size_t, float *);
    void (*unpack_rgba16)(const float *, size_t, bool, uint16_t *);
    void (*unpack_rgbaf)(const float *, size_t, bool, float *);
} variants;

static const variants scalar = {
    ck_resize_pack_rgba16_scalar, ck_resize_pack_rgbaf_scalar,
    ck_resize_horizontal_f32_scalar, ck_resize_vertical_f32_scalar,
    ck_resize_unpack_rgba16_scalar, ck_resize_unpack_rgbaf_scalar,
};

#if defined(__x86_64__)
static const variants avx2 = {
    ck_resize_pack_rgba16_avx2, ck_resize_pack_rgbaf_avx2,
    ck_resize_horizontal_f32_avx2, ck_resize_vertical_f32_avx2,
    ck_resize_unpack_rgba16_avx2, ck_resize_unpack_rgbaf_avx2,
};

static const variants avx512 = {
    ck_resize_pack_rgba16_avx2, ck_resize_pack_rgbaf_avx2,
    ck_resize_horizontal_f32_avx512, ck_resize_vertical_f32_avx2,
    ck_resize_unpack_rgba16_avx512, ck_resize_unpack_rgbaf_avx2,
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
#endif
    (void)isa;
    return &scalar;
}

void ck_resize_pack_rgba16_isa(ck_isa isa, const uint16_t *row, size_t width, bool opaque, float *output) {
    variants_for(isa)->pack_rgba16(row, width, opaque, output);
}

void ck_resize_pack_rgbaf_isa(ck_isa isa, const float *row, size_t width, bool opaque, float *output) {
    variants_for(isa)->pack_rgbaf(row, width, opaque, output);
}

void ck_resize_horizontal_f32_isa(ck_isa isa, const float *row, const ck_window_f32 *windows, const float *coefficients,
                                  size_t count, float *output) {
    variants_for(isa)->horizontal_f32(row, windows, coefficients, count, output);
}

void ck_resize_vertical_f32_isa(ck_isa isa, const float *const *rows, const float *coefficients, size_t taps,
                                size_t width, float *output) {
    variants_for(isa)->vertical_f32(rows, coefficients, taps, width, output);
}

void ck_resize_unpack_rgba16_isa(ck_isa isa, const float *row, size_t width, bool opaque, uint16_t *output) {
    variants_for(isa)->unpack_rgba16(row, width, opaque, output);
}

void ck_resize_unpack_rgbaf_isa(ck_isa isa, const float *row, size_t width, bool opaque, float *output) {
    variants_for(isa)->unpack_rgbaf(row, width, opaque, output);
}

void ck_resize_pack_rgba16(const uint16_t *row, size_t width, bool opaque, float *output) {
    ck_resize_pack_rgba16_isa(ck_best_isa(), row, width, opaque, output);
}

void ck_resize_pack_rgbaf(const float *row, size_t width, bool opaque, float *output) {
    ck_resize_pack_rgbaf_isa(ck_best_isa(), row, width, opaque, output);
}

void ck_resize_horizontal_f32(const float *row, const ck_window_f32 *windows, const float *coefficients, size_t count,
                              float *output) {
    ck_resize_horizontal_f32_isa(ck_best_isa(), row, windows, coefficients, count, output);
}

void ck_resize_vertical_f32(const float *const *rows, const float *coefficients, size_t taps, size_t width,
                            float *output) {
    ck_resize_vertical_f32_isa(ck_best_isa(), rows, coefficients, taps, width, output);
}

void ck_resize_unpack_rgba16(const float *row, size_t width, bool opaque, uint16_t *output) {
    ck_resize_unpack_rgba16_isa(ck_best_isa(), row, width, opaque, output);
}

void ck_resize_unpack_rgbaf(const float *row, size_t width, bool opaque, float *output) {
    ck_resize_unpack_rgbaf_isa(ck_best_isa(), row, width, opaque, output);
}
