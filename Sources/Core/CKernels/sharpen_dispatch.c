#include "sharpen_variants.h"

void ck_sharpen_rgba8_isa(ck_isa isa, const uint8_t *pixels, const uint8_t *blurred, float amount, float threshold,
                          uint8_t *result, size_t count) {
    isa = ck_usable_isa(isa);
#if defined(__x86_64__)
    if (isa >= CK_AVX2) {
        ck_sharpen_rgba8_avx2(pixels, blurred, amount, threshold, result, count);
        return;
    }
#endif
    ck_sharpen_rgba8_scalar(pixels, blurred, amount, threshold, result, count);
}

void ck_sharpen_rgba16_isa(ck_isa isa, const uint16_t *pixels, const uint16_t *blurred, float amount, float threshold,
                           uint16_t *result, size_t count) {
    isa = ck_usable_isa(isa);
#if defined(__x86_64__)
    if (isa >= CK_AVX2) {
        ck_sharpen_rgba16_avx2(pixels, blurred, amount, threshold, result, count);
        return;
    }
#endif
    ck_sharpen_rgba16_scalar(pixels, blurred, amount, threshold, result, count);
}

void ck_sharpen_rgba8(const uint8_t *pixels, const uint8_t *blurred, float amount, float threshold, uint8_t *result,
                      size_t count) {
    ck_sharpen_rgba8_isa(ck_best_isa(), pixels, blurred, amount, threshold, result, count);
}

void ck_sharpen_rgba16(const uint16_t *pixels, const uint16_t *blurred, float amount, float threshold,
                       uint16_t *result, size_t count) {
    ck_sharpen_rgba16_isa(ck_best_isa(), pixels, blurred, amount, threshold, result, count);
}
