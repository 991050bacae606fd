#include "color_variants.h"

void ck_convert_color8_isa(ck_isa isa, const ck_color8 *color, uint8_t *pixels, size_t count) {
    isa = ck_usable_isa(isa);
#if defined(__x86_64__)
    if (isa >= CK_SSE42) ck_convert_color8_sse41(color, pixels, count);
    else ck_convert_color8_scalar(color, pixels, count);
#elif defined(__aarch64__)
    if (isa >= CK_NEON) ck_convert_color8_neon(color, pixels, count);
    else ck_convert_color8_scalar(color, pixels, count);
#else
    ck_convert_color8_scalar(color, pixels, count);
#endif
}

void ck_convert_color8(const ck_color8 *color, uint8_t *pixels, size_t count) {
    ck_convert_color8_isa(ck_best_isa(), color, pixels, count);
}
