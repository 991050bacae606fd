#include "expand_variants.h"

#include <string.h>

void ck_expand_rgb8_isa(ck_isa isa, const uint8_t *row, size_t width, const uint8_t *key, uint8_t *output) {
    isa = ck_usable_isa(isa);
#if defined(__x86_64__)
    if (isa >= CK_SSE42) ck_expand_rgb8_sse41(row, width, output);
    else ck_expand_rgb8_scalar(row, width, output);
#elif defined(__aarch64__)
    if (isa >= CK_NEON) ck_expand_rgb8_neon(row, width, output);
    else ck_expand_rgb8_scalar(row, width, output);
#else
    ck_expand_rgb8_scalar(row, width, output);
#endif
    if (key == NULL) return;
    for (size_t x = 0; x < width; x++) {
        if (memcmp(row + 3 * x, key, 3) == 0) output[4 * x + 3] = 0;
    }
}

void ck_expand_rgb8(const uint8_t *row, size_t width, const uint8_t *key, uint8_t *output) {
    ck_expand_rgb8_isa(ck_best_isa(), row, width, key, output);
}
