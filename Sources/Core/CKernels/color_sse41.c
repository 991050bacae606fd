#include "color_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("sse4.1")))

enum { CHANNELS = 4, LEVELS8 = 256 };

TARGET static inline __m128i light(const int32_t *shares, uint64_t pixel) {
    const __m128i *red = (const __m128i *)(shares + CHANNELS * (pixel & 255));
    const __m128i *green = (const __m128i *)(shares + CHANNELS * (LEVELS8 + (pixel >> 8 & 255)));
    const __m128i *blue = (const __m128i *)(shares + CHANNELS * (2 * LEVELS8 + (pixel >> 16 & 255)));
    __m128i sum = _mm_add_epi32(_mm_loadu_si128(red), _mm_loadu_si128(green));
    return _mm_srai_epi32(_mm_add_epi32(sum, _mm_loadu_si128(blue)), CK_COLOR8_FRACTION);
}

static inline uint32_t levels(const ck_color8 *color, uint64_t light, uint32_t pixel) {
    uint32_t red = color->levels[0][light & 0xFFFF];
    uint32_t green = color->levels[1][light >> 16 & 0xFFFF];
    uint32_t blue = color->levels[2][light >> 32 & 0xFFFF];
    return red | green << 8 | blue << 16 | (pixel & 0xFF000000);
}

TARGET void ck_convert_color8_sse41(const ck_color8 *color, uint8_t *pixels, size_t count) {
    const ck_color8 tables = *color;
    for (; count >= 2; count -= 2, pixels += 2 * CHANNELS) {
        uint64_t pair;
        memcpy(&pair, pixels, sizeof pair);
        // The largest sum that fits into 16 bits is above the maximum.
        __m128i both = _mm_packs_epi32(light(tables.shares, pair), light(tables.shares, pair >> 32));
        both = _mm_min_epi16(_mm_max_epi16(both, _mm_setzero_si128()), _mm_set1_epi16(CK_COLOR_LIGHT));
        uint64_t first = levels(&tables, (uint64_t)_mm_cvtsi128_si64(both), (uint32_t)pair);
        uint64_t second = levels(&tables, (uint64_t)_mm_extract_epi64(both, 1), (uint32_t)(pair >> 32));
        pair = first | second << 32;
        memcpy(pixels, &pair, sizeof pair);
    }
    ck_convert_color8_scalar(color, pixels, count);
}

#endif
