#include "unfilter_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("sse4.1")))
// Forced, so that every call with a constant step becomes a separate loop.
#define INLINE TARGET __attribute__((always_inline)) static inline

// A pixel depends on the one before it, so pixels are processed one by one, with all their bytes at once.

// Loads a pixel of `step` bytes. With `reads_on`, bytes of the next pixels may be read, and are in the result.
INLINE __m128i load(const uint8_t *pixel, size_t step, int reads_on) {
    if (step > 4 && (step == 8 || reads_on)) return _mm_loadl_epi64((const __m128i *)pixel);
    uint64_t bytes = 0;
    memcpy(&bytes, pixel, step == 3 && reads_on ? 4 : step);
    return step > 4 ? _mm_cvtsi64_si128((long long)bytes) : _mm_cvtsi32_si128((int)bytes);
}

INLINE void store(uint8_t *pixel, __m128i value, size_t step) {
    uint64_t bytes = (uint64_t)_mm_cvtsi128_si64(value);
    memcpy(pixel, &bytes, step);
}

INLINE __m128i widen(__m128i bytes) { return _mm_unpacklo_epi8(bytes, _mm_setzero_si128()); }

INLINE void undo_sub(uint8_t *row, size_t count, size_t step) {
    __m128i left = _mm_setzero_si128();
    for (size_t place = 0; place < count; place += step) {
        left = _mm_add_epi8(load(row + place, step, place + 8 <= count), left);
        store(row + place, left, step);
    }
}

INLINE void undo_average(uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    const __m128i one = _mm_set1_epi8(1);
    __m128i left = _mm_setzero_si128();
    for (size_t place = 0; place < count; place += step) {
        int reads_on = place + 8 <= count;
        __m128i up = load(above + place, step, reads_on);
        // The instruction rounds up, the filter rounds down.
        __m128i excess = _mm_and_si128(_mm_xor_si128(left, up), one);
        __m128i average = _mm_sub_epi8(_mm_avg_epu8(left, up), excess);
        left = _mm_add_epi8(load(row + place, step, reads_on), average);
        store(row + place, left, step);
    }
}

INLINE void undo_paeth(uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    const __m128i low_bytes = _mm_set1_epi16(0xFF);
    __m128i left = _mm_setzero_si128();
    __m128i corner = _mm_setzero_si128();
    for (size_t place = 0; place < count; place += step) {
        int reads_on = place + 8 <= count;
        __m128i up = widen(load(above + place, step, reads_on));
        __m128i beside = _mm_sub_epi16(up, corner);
        __m128i below = _mm_sub_epi16(left, corner);
        __m128i from_left = _mm_abs_epi16(beside);
        __m128i from_up = _mm_abs_epi16(below);
        __m128i from_corner = _mm_abs_epi16(_mm_add_epi16(beside, below));
        __m128i least = _mm_min_epi16(from_corner, _mm_min_epi16(from_left, from_up));
        // In a tie, left is preferred to up, and up to the corner.
        __m128i nearest = _mm_blendv_epi8(corner, up, _mm_cmpeq_epi16(least, from_up));
        nearest = _mm_blendv_epi8(nearest, left, _mm_cmpeq_epi16(least, from_left));
        left = _mm_and_si128(_mm_add_epi16(widen(load(row + place, step, reads_on)), nearest), low_bytes);
        corner = up;
        store(row + place, _mm_packus_epi16(left, left), step);
    }
}

TARGET void ck_unfilter_sub_sse41(uint8_t *row, size_t count, size_t step) {
    switch (step) {
        case 3: undo_sub(row, count, 3); break;
        case 4: undo_sub(row, count, 4); break;
        case 6: undo_sub(row, count, 6); break;
        default: undo_sub(row, count, 8);
    }
}

TARGET void ck_unfilter_average_sse41(uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    switch (step) {
        case 3: undo_average(row, above, count, 3); break;
        case 4: undo_average(row, above, count, 4); break;
        case 6: undo_average(row, above, count, 6); break;
        default: undo_average(row, above, count, 8);
    }
}

TARGET void ck_unfilter_paeth_sse41(uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    switch (step) {
        case 3: undo_paeth(row, above, count, 3); break;
        case 4: undo_paeth(row, above, count, 4); break;
        case 6: undo_paeth(row, above, count, 6); break;
        default: undo_paeth(row, above, count, 8);
    }
}

#endif
