#include "filter_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("sse4.1")))
// Forced, so that every call with a constant filter becomes a separate loop.
#define INLINE TARGET __attribute__((always_inline)) static inline

enum { LANES = 16 };

INLINE __m128i load(const uint8_t *bytes) { return _mm_loadu_si128((const __m128i *)bytes); }

INLINE __m128i distance(__m128i one, __m128i other) {
    return _mm_or_si128(_mm_subs_epu8(one, other), _mm_subs_epu8(other, one));
}

INLINE __m128i is_at_most(__m128i one, __m128i other) { return _mm_cmpeq_epi8(_mm_min_epu8(one, other), one); }

// The distance of left + above - corner from the corner is that of (left - corner) + (above - corner) from 0: the sum
// of both distances if they have the same sign, and else their difference. Sums of more than 255 become 255, at which
// no other distance is greater.
INLINE __m128i nearest(__m128i left, __m128i above, __m128i corner) {
    __m128i from_left = distance(above, corner);
    __m128i from_above = distance(left, corner);
    __m128i is_same_sign = _mm_cmpeq_epi8(is_at_most(corner, left), is_at_most(corner, above));
    __m128i from_corner =
        _mm_blendv_epi8(distance(from_left, from_above), _mm_adds_epu8(from_left, from_above), is_same_sign);
    __m128i chosen = _mm_blendv_epi8(corner, above, is_at_most(from_above, from_corner));
    return _mm_blendv_epi8(chosen, left, is_at_most(from_left, _mm_min_epu8(from_above, from_corner)));
}

// The instruction for averages rounds up, and the filter rounds down.
INLINE __m128i average(__m128i left, __m128i above) {
    __m128i odd = _mm_and_si128(_mm_xor_si128(left, above), _mm_set1_epi8(1));
    return _mm_sub_epi8(_mm_avg_epu8(left, above), odd);
}

INLINE __m128i predicted(ck_filter filter, const uint8_t *row, const uint8_t *above, size_t step) {
    switch (filter) {
        case CK_FILTER_SUB: return load(row - step);
        case CK_FILTER_UP: return load(above);
        case CK_FILTER_AVERAGE: return average(load(row - step), load(above));
        case CK_FILTER_PAETH: return nearest(load(row - step), load(above), load(above - step));
        case CK_FILTER_NONE:
        case CK_FILTER_COUNT: break;
    }
    return _mm_setzero_si128();
}

INLINE uint64_t filter_row(ck_filter filter, uint8_t *filtered, const uint8_t *row, const uint8_t *above, size_t count,
                           size_t step) {
    const __m128i zero = _mm_setzero_si128();
    size_t place = step < count ? step : count;
    uint64_t sum = ck_filter_part_scalar(filter, filtered, row, above, 0, place, step);
    __m128i sums = zero;
    for (; place + LANES <= count; place += LANES) {
        __m128i value = _mm_sub_epi8(load(row + place), predicted(filter, row + place, above + place, step));
        _mm_storeu_si128((__m128i *)(filtered + place), value);
        sums = _mm_add_epi64(sums, _mm_sad_epu8(_mm_min_epu8(value, _mm_sub_epi8(zero, value)), zero));
    }
    sum += (uint64_t)_mm_cvtsi128_si64(sums) + (uint64_t)_mm_extract_epi64(sums, 1);
    return sum + ck_filter_part_scalar(filter, filtered, row, above, place, count, step);
}

TARGET uint64_t ck_filter_row_sse41(ck_filter filter, uint8_t *filtered, const uint8_t *row, const uint8_t *above,
                                    size_t count, size_t step) {
    switch (filter) {
        case CK_FILTER_SUB: return filter_row(CK_FILTER_SUB, filtered, row, above, count, step);
        case CK_FILTER_UP: return filter_row(CK_FILTER_UP, filtered, row, above, count, step);
        case CK_FILTER_AVERAGE: return filter_row(CK_FILTER_AVERAGE, filtered, row, above, count, step);
        case CK_FILTER_PAETH: return filter_row(CK_FILTER_PAETH, filtered, row, above, count, step);
        default: return filter_row(CK_FILTER_NONE, filtered, row, above, count, step);
    }
}

#endif
