#include "resize_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

#define TARGET __attribute__((target("avx2")))
// Forced, so that every call with a constant `opaque` becomes a separate loop.
#define INLINE TARGET __attribute__((always_inline)) static inline

// Byte shuffles of 4 RGBA pixels, present in both lanes, that widen to 16 bits and interleave the pixels of a lane.
#define INTERLEAVE(r0, r1) r0, -1, r1, -1, r0 + 1, -1, r1 + 1, -1, r0 + 2, -1, r1 + 2, -1, r0 + 3, -1, r1 + 3, -1
// Alpha in the position of each color; the positions of alpha itself stay zero.
#define SPREAD_ALPHA(a0, a1) a0, -1, a1, -1, a0, -1, a1, -1, a0, -1, a1, -1, -1, -1, -1, -1

// In bytes. Rows usually follow each other in memory, so this reaches into the next rows. With the hardware prefetcher
// alone, packing an uncached image mostly waits for memory.
enum { PREFETCH_DISTANCE = 8192 };

// Packs four pixels, present in both lanes, to 16 interleaved values.
INLINE __m256i pack_four(__m256i pixels, bool opaque) {
    const __m256i interleave = _mm256_setr_epi8(INTERLEAVE(0, 4), INTERLEAVE(8, 12));
    __m256i value = _mm256_shuffle_epi8(pixels, interleave);
    if (opaque) {
        return _mm256_slli_epi16(value, 6);
    }
    const __m256i spread = _mm256_setr_epi8(SPREAD_ALPHA(3, 7), SPREAD_ALPHA(11, 15));
    const __m256i whole = _mm256_setr_epi32(0, 0, 0, 0x00FF00FF, 0, 0, 0, 0x00FF00FF);
    __m256i alpha = _mm256_or_si256(_mm256_shuffle_epi8(pixels, spread), whole);
    // round(64 / 255 * value) is (value + value / 255 + 2) / 4 as in the scalar variant. With 1 added first, the high
    // half of a product with 257 is the exact quotient by 255, and the average adds another 1.
    value = _mm256_add_epi16(_mm256_mullo_epi16(value, alpha), _mm256_set1_epi16(1));
    __m256i quotient = _mm256_mulhi_epu16(value, _mm256_set1_epi16(257));
    return _mm256_srli_epi16(_mm256_avg_epu16(value, quotient), 1);
}

INLINE void pack_row(const uint8_t *row, size_t width, bool opaque, int16_t *packed) {
    size_t pixel = 0;
    for (; pixel + 4 <= width; pixel += 4) {
        const uint8_t *source = row + 4 * pixel;
        // Once per cache line is enough. In the loop that is short of instruction slots, the test costs more than it
        // saves.
        if (!opaque || pixel % 16 == 0) {
            _mm_prefetch((const char *)((uintptr_t)source + PREFETCH_DISTANCE), _MM_HINT_T0);
        }
        __m256i pixels = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)source));
        _mm256_store_si256((__m256i *)(packed + 4 * pixel), pack_four(pixels, opaque));
    }
    if (pixel < width) {
        uint8_t rest[16] = {0};
        memcpy(rest, row + 4 * pixel, 4 * (width - pixel));
        __m256i pixels = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)rest));
        _mm256_store_si256((__m256i *)(packed + 4 * pixel), pack_four(pixels, opaque));
        pixel += 4;
    }
    _mm256_store_si256((__m256i *)(packed + 4 * pixel), _mm256_setzero_si256());
}

TARGET static void pack_any_row(const uint8_t *row, size_t width, bool opaque, int16_t *packed) {
    if (row == NULL) {
        memset(packed, 0, ck_resize_packed_pixels(width) * 4 * sizeof *packed);
    } else if (opaque) {
        pack_row(row, width, true, packed);
    } else {
        pack_row(row, width, false, packed);
    }
}

TARGET void ck_resize_pack8_avx2(const uint8_t *row0, const uint8_t *row1, size_t width, bool opaque, int16_t *packed0,
                                 int16_t *packed1) {
    pack_any_row(row0, width, opaque, packed0);
    pack_any_row(row1, width, opaque, packed1);
}

INLINE __m256i load(const int16_t *values) {
    return _mm256_loadu_si256((const __m256i *)values);
}

// Shuffles that repeat two coefficients for the 4 components: 0 1 | 2 3 and 4 5 | 6 7 of the 8 present in each lane.
typedef struct spreads {
    __m256i first;
    __m256i second;
} spreads;

INLINE spreads make_spreads(void) {
    spreads spread = {
        _mm256_setr_epi32(0x03020100, 0x03020100, 0x03020100, 0x03020100, 0x07060504, 0x07060504, 0x07060504,
                          0x07060504),
        _mm256_setr_epi32(0x0B0A0908, 0x0B0A0908, 0x0B0A0908, 0x0B0A0908, 0x0F0E0D0C, 0x0F0E0D0C, 0x0F0E0D0C,
                          0x0F0E0D0C),
    };
    // Hides the constants. If clang knows them, it makes two shuffles of each, one of them across lanes.
    __asm__("" : "+x"(spread.first), "+x"(spread.second));
    return spread;
}

// The products of eight taps with both rows, separately for the first and the last four taps.
typedef struct products {
    __m256i row0[2];
    __m256i row1[2];
} products;

INLINE products eight_taps(const int16_t *values0, const int16_t *values1, const int16_t *weights, spreads spread) {
    // One load of coefficients for two groups, since loads limit the loop.
    __m256i eight = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)weights));
    __m256i first = _mm256_shuffle_epi8(eight, spread.first);
    __m256i second = _mm256_shuffle_epi8(eight, spread.second);
    products result = {
        {_mm256_madd_epi16(load(values0), first), _mm256_madd_epi16(load(values0 + 16), second)},
        {_mm256_madd_epi16(load(values1), first), _mm256_madd_epi16(load(values1 + 16), second)},
    };
    return result;
}

// The sums of both rows over a window; the two lanes contain separate parts of the sum.
typedef struct row_sums {
    __m256i row0;
    __m256i row1;
} row_sums;

INLINE row_sums total(products sums) {
    row_sums result = {_mm256_add_epi32(sums.row0[0], sums.row0[1]), _mm256_add_epi32(sums.row1[0], sums.row1[1])};
    return result;
}

// Computes windows of two groups, the usual ones when enlarging. The branches of a loop would cost more than its work.
INLINE row_sums two_group_sums(const int16_t *packed0, const int16_t *packed1, const ck_window8 *window,
                               const int16_t *coefficients, spreads spread) {
    size_t start = 4 * (size_t)window->start;
    return total(eight_taps(packed0 + start, packed1 + start, coefficients + window->offset, spread));
}

INLINE row_sums window_sums(const int16_t *packed0, const int16_t *packed1, const ck_window8 *window,
                            const int16_t *coefficients, spreads spread) {
    const int16_t *values0 = packed0 + 4 * (size_t)window->start;
    const int16_t *values1 = packed1 + 4 * (size_t)window->start;
    const int16_t *weights = coefficients + window->offset;
    size_t taps = 4 * (size_t)window->groups;
    size_t tap = 0;
    products sums = {{_mm256_setzero_si256(), _mm256_setzero_si256()},
                     {_mm256_setzero_si256(), _mm256_setzero_si256()}};
    if (taps >= 8) {
        sums = eight_taps(values0, values1, weights, spread);
        for (tap = 8; tap + 8 <= taps; tap += 8) {
            products next = eight_taps(values0 + 4 * tap, values1 + 4 * tap, weights + tap, spread);
            for (int i = 0; i < 2; i++) {
                sums.row0[i] = _mm256_add_epi32(sums.row0[i], next.row0[i]);
                sums.row1[i] = _mm256_add_epi32(sums.row1[i], next.row1[i]);
            }
        }
    }
    if (tap < taps) {
        int64_t four;
        memcpy(&four, weights + tap, sizeof four);
        __m256i first = _mm256_shuffle_epi8(_mm256_set1_epi64x(four), spread.first);
        sums.row0[0] = _mm256_add_epi32(sums.row0[0], _mm256_madd_epi16(load(values0 + 4 * tap), first));
        sums.row1[0] = _mm256_add_epi32(sums.row1[0], _mm256_madd_epi16(load(values1 + 4 * tap), first));
    }
    return total(sums);
}

// Adds the lanes of two sums: a in the low lane, b in the high one.
INLINE __m256i join_lanes(__m256i a, __m256i b) {
    return _mm256_add_epi32(_mm256_blend_epi32(a, b, 0xF0), _mm256_permute2x128_si256(a, b, 0x21));
}

// Returns two output pixels from their sums: 16 values of a row pair.
INLINE __m256i finish_two(row_sums pixel0, row_sums pixel1, __m256i half, __m128i shift) {
    const __m256i interleave = _mm256_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15, 0, 1, 8, 9, 2, 3,
                                                10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    __m256i row0 = _mm256_sra_epi32(_mm256_add_epi32(join_lanes(pixel0.row0, pixel1.row0), half), shift);
    __m256i row1 = _mm256_sra_epi32(_mm256_add_epi32(join_lanes(pixel0.row1, pixel1.row1), half), shift);
    return _mm256_shuffle_epi8(_mm256_packs_epi32(row0, row1), interleave);
}

TARGET void ck_resize_horizontal8_avx2(const int16_t *packed0, const int16_t *packed1, const ck_window8 *windows,
                                       const int16_t *coefficients, int32_t precision, size_t count, int16_t *output) {
    const __m256i half = _mm256_set1_epi32(1 << (precision - 1));
    const __m128i shift = _mm_cvtsi32_si128(precision);
    const spreads spread = make_spreads();
    size_t pixel = 0;
    for (; pixel + 2 <= count; pixel += 2) {
        const ck_window8 *window = windows + pixel;
        row_sums sums0, sums1;
        if (window[0].groups == 2 && window[1].groups == 2) {
            sums0 = two_group_sums(packed0, packed1, window, coefficients, spread);
            sums1 = two_group_sums(packed0, packed1, window + 1, coefficients, spread);
        } else {
            sums0 = window_sums(packed0, packed1, window, coefficients, spread);
            sums1 = window_sums(packed0, packed1, window + 1, coefficients, spread);
        }
        _mm256_storeu_si256((__m256i *)(output + 8 * pixel), finish_two(sums0, sums1, half, shift));
    }
    if (pixel < count) {
        row_sums sums = window_sums(packed0, packed1, windows + pixel, coefficients, spread);
        __m128i last = _mm256_castsi256_si128(finish_two(sums, sums, half, shift));
        _mm_storeu_si128((__m128i *)(output + 8 * pixel), last);
    }
}

INLINE __m256i round64(__m256i value) {
    return _mm256_srai_epi32(_mm256_add_epi32(value, _mm256_set1_epi32(32)), 6);
}

// Returns the straight components, as int32, of two pixels. Where alpha rounds to 0, color is meaningless.
INLINE __m256i straighten(__m256i value) {
    __m256 divisor = _mm256_cvtepi32_ps(_mm256_shuffle_epi32(value, 0xFF));
    __m256 scaled = _mm256_mul_ps(_mm256_cvtepi32_ps(value), _mm256_set1_ps(255.0f));
    __m256 color = _mm256_add_ps(_mm256_div_ps(scaled, divisor), _mm256_set1_ps(0.5f));
    return _mm256_blend_epi32(_mm256_cvttps_epi32(color), round64(value), 0x88);
}

enum { BOTH_PIXELS = 0x88 };

// Returns the alpha components of two pixels whose sign bit is set.
INLINE int alpha_lanes(__m256i value) {
    return _mm256_movemask_ps(_mm256_castsi256_ps(value)) & BOTH_PIXELS;
}

// Converts eight pixels of int32 components, two per vector, to bytes.
INLINE __m256i to_bytes(__m256i value0, __m256i value1, __m256i value2, __m256i value3) {
    __m256i bytes = _mm256_packus_epi16(_mm256_packs_epi32(value0, value1), _mm256_packs_epi32(value2, value3));
    return _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

INLINE __m256i alpha_bytes(void) {
    return _mm256_set1_epi32((int)0xFF000000);
}

// Zeroes pixels whose alpha byte is zero, including their results of a division by zero.
INLINE __m256i clear_invisible(__m256i bytes) {
    __m256i alpha = _mm256_and_si256(bytes, alpha_bytes());
    return _mm256_andnot_si256(_mm256_cmpeq_epi32(alpha, _mm256_setzero_si256()), bytes);
}

INLINE __m256i finish(__m256i sum, __m256i half, __m128i shift) {
    return _mm256_sra_epi32(_mm256_add_epi32(sum, half), shift);
}

// Finishes eight pixels, two per sum.
INLINE void finish_eight(const __m256i *sums, __m256i half, __m128i shift, bool opaque, uint8_t *output) {
    __m256i value0 = finish(sums[0], half, shift);
    __m256i value1 = finish(sums[1], half, shift);
    __m256i value2 = finish(sums[2], half, shift);
    __m256i value3 = finish(sums[3], half, shift);
    __m256i bytes;
    if (opaque) {
        bytes = _mm256_or_si256(to_bytes(value0, value1, value2, value3), alpha_bytes());
    } else {
        __m256i least = _mm256_min_epi32(_mm256_min_epi32(value0, value1), _mm256_min_epi32(value2, value3));
        __m256i most = _mm256_max_epi32(_mm256_max_epi32(value0, value1), _mm256_max_epi32(value2, value3));
        __m256i full = _mm256_set1_epi32(255 * 64);
        if (alpha_lanes(_mm256_and_si256(_mm256_cmpeq_epi32(least, full), _mm256_cmpeq_epi32(most, full))) ==
            BOTH_PIXELS) {
            // With full alpha the quotient is a multiple of 1/64, which is exact in a float, so no division is needed.
            value0 = round64(value0);
            value1 = round64(value1);
            value2 = round64(value2);
            value3 = round64(value3);
            bytes = _mm256_or_si256(to_bytes(value0, value1, value2, value3), alpha_bytes());
        } else if (alpha_lanes(_mm256_cmpgt_epi32(most, _mm256_set1_epi32(31))) == 0) {
            bytes = _mm256_setzero_si256();
        } else {
            bytes = to_bytes(straighten(value0), straighten(value1), straighten(value2), straighten(value3));
            bytes = clear_invisible(bytes);
        }
    }
    _mm256_storeu_si256((__m256i *)output, bytes);
}

INLINE __m256i two_weights(const int16_t *coefficients) {
    int32_t two;
    memcpy(&two, coefficients, sizeof two);
    return _mm256_set1_epi32(two);
}

// Computes the sums of `2 * vectors` pixels, two per vector, which stay in registers over all row pairs.
INLINE void vertical_sums(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, size_t pixel,
                          int vectors, __m256i *sums) {
    for (int i = 0; i < vectors; i++) {
        sums[i] = pairs == 0 ? _mm256_setzero_si256()
                             : _mm256_madd_epi16(load(rows[0] + 8 * pixel + 16 * i), two_weights(coefficients));
    }
    for (size_t pair = 1; pair < pairs; pair++) {
        __m256i weights = two_weights(coefficients + 2 * pair);
        const int16_t *values = rows[pair] + 8 * pixel;
        for (int i = 0; i < vectors; i++) {
            sums[i] = _mm256_add_epi32(sums[i], _mm256_madd_epi16(load(values + 16 * i), weights));
        }
    }
}

INLINE void vertical_sixteen(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, __m256i half,
                             __m128i shift, size_t pixel, bool opaque, uint8_t *output) {
    __m256i sums[8];
    vertical_sums(rows, coefficients, pairs, pixel, 8, sums);
    finish_eight(sums, half, shift, opaque, output + 4 * pixel);
    finish_eight(sums + 4, half, shift, opaque, output + 4 * pixel + 32);
}

INLINE void vertical_eight(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, __m256i half,
                           __m128i shift, size_t pixel, bool opaque, uint8_t *output) {
    __m256i sums[4];
    vertical_sums(rows, coefficients, pairs, pixel, 4, sums);
    finish_eight(sums, half, shift, opaque, output + 4 * pixel);
}

INLINE void vertical_one(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, __m256i half,
                         __m128i shift, size_t pixel, bool opaque, uint8_t *output) {
    __m128i sum = _mm_setzero_si128();
    for (size_t pair = 0; pair < pairs; pair++) {
        __m128i weights = _mm256_castsi256_si128(two_weights(coefficients + 2 * pair));
        __m128i values = _mm_loadu_si128((const __m128i *)(rows[pair] + 8 * pixel));
        sum = _mm_add_epi32(sum, _mm_madd_epi16(values, weights));
    }
    __m256i value = finish(_mm256_castsi128_si256(sum), half, shift);
    if (!opaque) {
        value = straighten(value);
    }
    __m256i pixels = to_bytes(value, value, value, value);
    pixels = opaque ? _mm256_or_si256(pixels, alpha_bytes()) : clear_invisible(pixels);
    int32_t bytes = _mm256_cvtsi256_si32(pixels);
    memcpy(output + 4 * pixel, &bytes, sizeof bytes);
}

INLINE void vertical_row(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, int32_t precision,
                         size_t width, bool opaque, uint8_t *output) {
    // Combines both roundings of the opaque case, like the scalar variant.
    const __m256i half = _mm256_set1_epi32((1 << (precision - 1)) + (opaque ? 32 << precision : 0));
    const __m128i shift = _mm_cvtsi32_si128(precision + (opaque ? 6 : 0));
    if (width < 8) {
        for (size_t pixel = 0; pixel < width; pixel++) {
            vertical_one(rows, coefficients, pairs, half, shift, pixel, opaque, output);
        }
        return;
    }
    size_t pixel = 0;
    for (; pixel + 16 <= width; pixel += 16) {
        vertical_sixteen(rows, coefficients, pairs, half, shift, pixel, opaque, output);
    }
    if (pixel + 8 <= width) {
        vertical_eight(rows, coefficients, pairs, half, shift, pixel, opaque, output);
        pixel += 8;
    }
    if (pixel < width) {
        // The last eight pixels, which may be processed a second time.
        vertical_eight(rows, coefficients, pairs, half, shift, width - 8, opaque, output);
    }
}

TARGET void ck_resize_vertical8_avx2(const int16_t *const *rows, const int16_t *coefficients, size_t pairs,
                                     int32_t precision, size_t width, bool opaque, uint8_t *output) {
    if (opaque) {
        vertical_row(rows, coefficients, pairs, precision, width, true, output);
    } else {
        vertical_row(rows, coefficients, pairs, precision, width, false, output);
    }
}

#endif
