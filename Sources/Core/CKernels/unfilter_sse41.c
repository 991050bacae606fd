#include "unfilter_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("sse4.1")))
// Forced, so that every call with a constant step becomes a separate loop.
#define INLINE TARGET __attribute__((always_inline)) static inline

// A pixel depends on the one before it, so pixels are processed one by one, with all their bytes at once. Eight bytes
// may be read at a pixel that is followed by enough bytes; the loops over the last pixels read no byte too many.

// Loads a pixel of `step` bytes. With `reads_on`, bytes of the next pixels may be read, and are in the result.
INLINE __m128i load(const uint8_t *pixel, size_t step, int reads_on) {
    if (step == 8 || (step == 6 && reads_on)) return _mm_loadl_epi64((const __m128i *)pixel);
    uint32_t low = pixel[0];
    if (step == 2) {
        low |= (uint32_t)pixel[1] << 8;
    } else if (step == 3 && !reads_on) {
        low |= (uint32_t)pixel[1] << 8 | (uint32_t)pixel[2] << 16;
    } else if (step >= 3) {
        memcpy(&low, pixel, sizeof low);
    }
    __m128i value = _mm_cvtsi32_si128((int)low);
    if (step != 6) return value;
    uint16_t high;
    memcpy(&high, pixel + 4, sizeof high);
    return _mm_insert_epi16(value, high, 2);
}

INLINE void store(uint8_t *pixel, __m128i value, size_t step) {
    uint64_t bytes = (uint64_t)_mm_cvtsi128_si64(value);
    memcpy(pixel, &bytes, step);
}

INLINE __m128i widen(__m128i bytes) { return _mm_unpacklo_epi8(bytes, _mm_setzero_si128()); }

// Each of these functions undoes the filter of a pixel, and updates the pixels that the next one needs. The speed
// depends on the number of instructions from one pixel to the next.

INLINE void undo_sub_pixel(uint8_t *pixel, size_t step, int reads_on, __m128i *left) {
    *left = _mm_add_epi8(load(pixel, step, reads_on), *left);
    store(pixel, *left, step);
}

// The instruction for averages rounds up, and the filter rounds down. With ~x = -x - 1, the average of two numbers
// rounded down is ~a, where a is the average of their complements rounded up. So pixel + ~a is ~(a - pixel).
INLINE void undo_average_pixel(uint8_t *pixel, const uint8_t *above, size_t step, int reads_on, __m128i *not_left) {
    const __m128i ones = _mm_set1_epi8(-1);
    __m128i not_up = _mm_xor_si128(load(above, step, reads_on), ones);
    *not_left = _mm_sub_epi8(_mm_avg_epu8(*not_left, not_up), load(pixel, step, reads_on));
    store(pixel, _mm_xor_si128(*not_left, ones), step);
}

// Of left, up and corner, the specification takes the one that is nearest to left + up - corner. Let bound be
// 3 * corner - left - up. If bound is at most the smaller of left and up, the larger one is the nearest. Otherwise, if
// bound is at least the larger one, the smaller one is the nearest. Otherwise the corner is. Ties are decided as
// specified: left before up, and up before the corner.
INLINE void undo_paeth_pixel(uint8_t *pixel, const uint8_t *above, size_t step, int reads_on, __m128i *left,
                             __m128i *corner) {
    __m128i filtered = widen(load(pixel, step, reads_on));
    __m128i up = widen(load(above, step, reads_on));
    __m128i bound = _mm_sub_epi16(_mm_sub_epi16(_mm_add_epi16(*corner, _mm_slli_epi16(*corner, 1)), up), *left);
    __m128i smaller = _mm_min_epi16(*left, up);
    __m128i larger = _mm_max_epi16(*left, up);
    __m128i is_below_larger = _mm_cmpgt_epi16(larger, bound);
    __m128i is_above_smaller = _mm_cmpgt_epi16(bound, smaller);
    // Added before the choice, while the bounds are compared. Sums of low bytes do not carry into the high bytes.
    smaller = _mm_add_epi8(filtered, smaller);
    larger = _mm_add_epi8(filtered, larger);
    __m128i chosen = _mm_blendv_epi8(smaller, _mm_add_epi8(filtered, *corner), is_below_larger);
    *left = _mm_blendv_epi8(larger, chosen, is_above_smaller);
    *corner = up;
    store(pixel, _mm_packus_epi16(*left, *left), step);
}

INLINE void undo_sub(uint8_t *row, size_t count, size_t step) {
    __m128i left = _mm_setzero_si128();
    size_t place = 0;
    for (; place + 8 <= count; place += step) undo_sub_pixel(row + place, step, 1, &left);
    for (; place < count; place += step) undo_sub_pixel(row + place, step, 0, &left);
}

INLINE void undo_average(uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    __m128i not_left = _mm_set1_epi8(-1);
    size_t place = 0;
    for (; place + 8 <= count; place += step) undo_average_pixel(row + place, above + place, step, 1, &not_left);
    for (; place < count; place += step) undo_average_pixel(row + place, above + place, step, 0, &not_left);
}

INLINE void undo_paeth(uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    __m128i left = _mm_setzero_si128();
    __m128i corner = _mm_setzero_si128();
    size_t place = 0;
    for (; place + 8 <= count; place += step) undo_paeth_pixel(row + place, above + place, step, 1, &left, &corner);
    for (; place < count; place += step) undo_paeth_pixel(row + place, above + place, step, 0, &left, &corner);
}

TARGET void ck_unfilter_sub_sse41(uint8_t *row, size_t count, size_t step) {
    switch (step) {
        case 1: undo_sub(row, count, 1); break;
        case 2: undo_sub(row, count, 2); break;
        case 3: undo_sub(row, count, 3); break;
        case 4: undo_sub(row, count, 4); break;
        case 6: undo_sub(row, count, 6); break;
        default: undo_sub(row, count, 8);
    }
}

TARGET void ck_unfilter_average_sse41(uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    switch (step) {
        case 1: undo_average(row, above, count, 1); break;
        case 2: undo_average(row, above, count, 2); break;
        case 3: undo_average(row, above, count, 3); break;
        case 4: undo_average(row, above, count, 4); break;
        case 6: undo_average(row, above, count, 6); break;
        default: undo_average(row, above, count, 8);
    }
}

TARGET void ck_unfilter_paeth_sse41(uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    switch (step) {
        case 1: undo_paeth(row, above, count, 1); break;
        case 2: undo_paeth(row, above, count, 2); break;
        case 3: undo_paeth(row, above, count, 3); break;
        case 4: undo_paeth(row, above, count, 4); break;
        case 6: undo_paeth(row, above, count, 6); break;
        default: undo_paeth(row, above, count, 8);
    }
}

#endif
