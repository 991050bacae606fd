#include "expand_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>

__attribute__((target("sse4.1"))) void ck_expand_rgb8_sse41(const uint8_t *row, size_t width, uint8_t *output) {
    const __m128i order = _mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
    const __m128i opaque = _mm_set1_epi32((int)0xFF000000);
    size_t x = 0;
    // Four pixels have 12 bytes. 16 are read, so two more pixels must follow.
    for (; x + 6 <= width; x += 4) {
        __m128i pixels = _mm_loadu_si128((const __m128i *)(row + 3 * x));
        __m128i expanded = _mm_or_si128(_mm_shuffle_epi8(pixels, order), opaque);
        _mm_storeu_si128((__m128i *)(output + 4 * x), expanded);
    }
    ck_expand_rgb8_scalar(row + 3 * x, width - x, output + 4 * x);
}

#endif
