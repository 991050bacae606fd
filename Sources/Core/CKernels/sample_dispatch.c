#include "sample_variants.h"

void ck_sample_cubic_rgba_float_isa(ck_isa isa, const float *pixels, size_t width, float x, float y, float dx, float dy,
                                    size_t count, float *output) {
    isa = ck_usable_isa(isa);
#if defined(__x86_64__)
    if (isa >= CK_AVX2) {
        ck_sample_cubic_rgba_float_avx2(pixels, width, x, y, dx, dy, count, output);
        return;
    }
#endif
    ck_sample_cubic_rgba_float_scalar(pixels, width, x, y, dx, dy, count, output);
}

void ck_sample_cubic_rgba_float(const float *pixels, size_t width, float x, float y, float dx, float dy, size_t count,
                                float *output) {
    ck_sample_cubic_rgba_float_isa(ck_best_isa(), pixels, width, x, y, dx, dy, count, output);
}
