#include "resize_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

#define TARGET __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx512vnni")))
// Forced, so that every call with a constant `opaque` becomes a separate loop.
#define INLINE TARGET __attribute__((always_inline)) static inline

// A byte shuffle, the same in every lane of 16 bytes, that selects the 16-bit values with these indices.
#define WORD(i) 2 * (i), 2 * (i) + 1
#define WORDS(a, b, c, d, e, f, g, h)                                                                                 \
    _mm512_broadcast_i32x4(_mm_setr_epi8(WORD(a), WORD(b), WORD(c), WORD(d), WORD(e), WORD(f), WORD(g), WORD(h)))

// Takes the halves of a lane, four values each, in turn.
INLINE __m512i interleave(void) {
    return WORDS(0, 4, 1, 5, 2, 6, 3, 7);
}

enum {
    // In bytes, as in the AVX2 variant.
    PREFETCH_DISTANCE = 8192,
    // The last of every four 32-bit values.
    ALPHAS = 0x8888,
};

// Packs eight pixels to 32 interleaved values.
INLINE __m512i pack_eight(__m256i pixels, bool opaque) {
    // Two pixels per lane.
    __m512i wide = _mm512_cvtepu8_epi16(pixels);
    __m512i value = _mm512_shuffle_epi8(wide, interleave());
    if (opaque) {
        return _mm512_slli_epi16(value, 6);
    }
    // Alpha in the position of each color, 255 in its own.
    const __m512i spread_alpha = WORDS(3, 7, 3, 7, 3, 7, 3, 7);
    __m512i alpha = _mm512_shuffle_epi8(wide, spread_alpha);
    alpha = _mm512_mask_mov_epi32(alpha, ALPHAS, _mm512_set1_epi32(0x00FF00FF));
    // The rounding of the AVX2 variant.
    value = _mm512_add_epi16(_mm512_mullo_epi16(value, alpha), _mm512_set1_epi16(1));
    __m512i quotient = _mm512_mulhi_epu16(value, _mm512_set1_epi16(257));
    return _mm512_srli_epi16(_mm512_avg_epu16(value, quotient), 1);
}

INLINE void pack_row(const uint8_t *row, size_t width, bool opaque, int16_t *packed) {
    size_t pixel = 0;
    for (; pixel + 8 <= width; pixel += 8) {
        const uint8_t *source = row + 4 * pixel;
        if (pixel % 16 == 0) {
            _mm_prefetch((const char *)((uintptr_t)source + PREFETCH_DISTANCE), _MM_HINT_T0);
        }
        __m256i pixels = _mm256_loadu_si256((const __m256i *)source);
        _mm512_storeu_si512(packed + 4 * pixel, pack_eight(pixels, opaque));
    }
    size_t rest = width - pixel;
    if (rest > 0) {
        __m256i pixels = _mm256_maskz_loadu_epi32((__mmask8)((1 << rest) - 1), row + 4 * pixel);
        _mm512_storeu_si512(packed + 4 * pixel, pack_eight(pixels, opaque));
        pixel += 8;
    }
    // Up to four pixels leave room for the four zeros in their own vector.
    if (rest == 0 || rest > 4) {
        _mm256_storeu_si256((__m256i *)(packed + 4 * pixel), _mm256_setzero_si256());
    }
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

TARGET void ck_resize_pack8_avx512(const uint8_t *row0, const uint8_t *row1, size_t width, bool opaque,
                                   int16_t *packed0, int16_t *packed1) {
    pack_any_row(row0, width, opaque, packed0);
    pack_any_row(row1, width, opaque, packed1);
}

// The sums of both rows over a window; each lane contains a part of the sum.
typedef struct row_sums {
    __m512i row0;
    __m512i row1;
} row_sums;

// Repeats two coefficients for the 4 components of each lane.
INLINE __m512i spread(__m128i coefficients) {
    const __m512i lanes = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    return _mm512_permutexvar_epi32(lanes, _mm512_castsi128_si512(coefficients));
}

INLINE row_sums add_eight(row_sums sums, const int16_t *values0, const int16_t *values1, const int16_t *weights) {
    __m512i eight = spread(_mm_loadu_si128((const __m128i *)weights));
    sums.row0 = _mm512_dpwssd_epi32(sums.row0, _mm512_loadu_si512(values0), eight);
    sums.row1 = _mm512_dpwssd_epi32(sums.row1, _mm512_loadu_si512(values1), eight);
    return sums;
}

INLINE __m512i load_four(const int16_t *values) {
    return _mm512_zextsi256_si512(_mm256_loadu_si256((const __m256i *)values));
}

INLINE row_sums add_four(row_sums sums, const int16_t *values0, const int16_t *values1, const int16_t *weights) {
    __m512i four = spread(_mm_loadl_epi64((const __m128i *)weights));
    sums.row0 = _mm512_dpwssd_epi32(sums.row0, load_four(values0), four);
    sums.row1 = _mm512_dpwssd_epi32(sums.row1, load_four(values1), four);
    return sums;
}

enum {
    // Windows up to this number of groups have code without a loop, if four neighbors have the same number.
    MOST_UNROLLED = 8,
    EACH_ITS_OWN = 0,
};

// `groups` is a constant if the loop is unrolled, otherwise EACH_ITS_OWN.
INLINE row_sums window_sums(const int16_t *packed0, const int16_t *packed1, const ck_window8 *window,
                            const int16_t *coefficients, int32_t groups) {
    const int16_t *values0 = packed0 + 4 * (size_t)window->start;
    const int16_t *values1 = packed1 + 4 * (size_t)window->start;
    const int16_t *weights = coefficients + window->offset;
    size_t taps = 4 * (size_t)(groups == EACH_ITS_OWN ? window->groups : groups);
    size_t tap = 0;
    row_sums sums = {_mm512_setzero_si512(), _mm512_setzero_si512()};
    if (taps > 4 * MOST_UNROLLED && window->start % 8 == 4) {
        // From here on no register crosses a cache line, which would take two reads.
        sums = add_four(sums, values0, values1, weights);
        tap = 4;
    }
    for (; tap + 8 <= taps; tap += 8) {
        sums = add_eight(sums, values0 + 4 * tap, values1 + 4 * tap, weights + tap);
    }
    if (tap < taps) {
        sums = add_four(sums, values0 + 4 * tap, values1 + 4 * tap, weights + tap);
    }
    return sums;
}

// Adds the halves of two sums: a in the low half, b in the high one.
INLINE __m512i join_halves(__m512i a, __m512i b) {
    return _mm512_add_epi32(_mm512_mask_blend_epi64(0xF0, a, b), _mm512_shuffle_i64x2(a, b, 0x4E));
}

// Returns the sums of four pixels, one per lane.
INLINE __m512i join_lanes(__m512i a, __m512i b, __m512i c, __m512i d) {
    __m512i ab = join_halves(a, b);
    __m512i cd = join_halves(c, d);
    return _mm512_add_epi32(_mm512_shuffle_i64x2(ab, cd, 0x88), _mm512_shuffle_i64x2(ab, cd, 0xDD));
}

// Returns four output pixels from their sums: 32 values of a row pair.
INLINE __m512i finish_four(const row_sums *sums, __m512i half, __m512i shift) {
    __m512i row0 = join_lanes(sums[0].row0, sums[1].row0, sums[2].row0, sums[3].row0);
    __m512i row1 = join_lanes(sums[0].row1, sums[1].row1, sums[2].row1, sums[3].row1);
    row0 = _mm512_srav_epi32(_mm512_add_epi32(row0, half), shift);
    row1 = _mm512_srav_epi32(_mm512_add_epi32(row1, half), shift);
    return _mm512_shuffle_epi8(_mm512_packs_epi32(row0, row1), interleave());
}

INLINE __m512i four_pixels(const int16_t *packed0, const int16_t *packed1, const ck_window8 *windows,
                           const int16_t *coefficients, int32_t groups, __m512i half, __m512i shift) {
    row_sums sums[4] = {
        window_sums(packed0, packed1, windows, coefficients, groups),
        window_sums(packed0, packed1, windows + 1, coefficients, groups),
        window_sums(packed0, packed1, windows + 2, coefficients, groups),
        window_sums(packed0, packed1, windows + 3, coefficients, groups),
    };
    return finish_four(sums, half, shift);
}

// Returns the number of groups that the windows of four pixels from `pixel` on have in common.
INLINE int32_t common_groups(const ck_window8 *windows) {
    int32_t groups = windows[0].groups;
    bool equal = windows[1].groups == groups && windows[2].groups == groups && windows[3].groups == groups;
    return equal ? groups : EACH_ITS_OWN;
}

// Computes pixels from `pixel` on, four at a time, as long as they have this number of groups in common. Returns the
// first pixel that was not computed.
INLINE size_t horizontal_run(const int16_t *packed0, const int16_t *packed1, const ck_window8 *windows,
                             const int16_t *coefficients, int32_t groups, __m512i half, __m512i shift, size_t pixel,
                             size_t count, int16_t *output) {
    do {
        __m512i values = four_pixels(packed0, packed1, windows + pixel, coefficients, groups, half, shift);
        _mm512_storeu_si512(output + 8 * pixel, values);
        pixel += 4;
    } while (pixel + 4 <= count && common_groups(windows + pixel) == groups);
    return pixel;
}

TARGET void ck_resize_horizontal8_avx512(const int16_t *packed0, const int16_t *packed1, const ck_window8 *windows,
                                         const int16_t *coefficients, int32_t precision, size_t count,
                                         int16_t *output) {
    const __m512i half = _mm512_set1_epi32(1 << (precision - 1));
    const __m512i shift = _mm512_set1_epi32(precision);
    size_t pixel = 0;
    while (pixel + 4 <= count) {
#define RUN(groups)                                                                                                   \
    horizontal_run(packed0, packed1, windows, coefficients, groups, half, shift, pixel, count, output)
        switch (common_groups(windows + pixel)) {
        case 2: pixel = RUN(2); break;
        case 3: pixel = RUN(3); break;
        case 4: pixel = RUN(4); break;
        case 5: pixel = RUN(5); break;
        case 6: pixel = RUN(6); break;
        case 7: pixel = RUN(7); break;
        case MOST_UNROLLED: pixel = RUN(MOST_UNROLLED); break;
        default: pixel = RUN(EACH_ITS_OWN); break;
        }
    }
    if (pixel < count) {
        row_sums sums[4] = {{_mm512_setzero_si512(), _mm512_setzero_si512()}};
        for (size_t i = 0; pixel + i < count; i++) {
            sums[i] = window_sums(packed0, packed1, windows + pixel + i, coefficients, EACH_ITS_OWN);
        }
        __mmask8 rest = (__mmask8)((1 << 2 * (count - pixel)) - 1);
        _mm512_mask_storeu_epi64(output + 8 * pixel, rest, finish_four(sums, half, shift));
    }
}

INLINE __m512i round64(__m512i value) {
    return _mm512_srai_epi32(_mm512_add_epi32(value, _mm512_set1_epi32(32)), 6);
}

// Returns the straight components, as int32, of four pixels. Where alpha rounds to 0, color is meaningless.
INLINE __m512i straighten(__m512i value) {
    __m512 divisor = _mm512_cvtepi32_ps(_mm512_shuffle_epi32(value, (_MM_PERM_ENUM)0xFF));
    __m512 scaled = _mm512_mul_ps(_mm512_cvtepi32_ps(value), _mm512_set1_ps(255.0f));
    __m512 color = _mm512_add_ps(_mm512_div_ps(scaled, divisor), _mm512_set1_ps(0.5f));
    return _mm512_mask_blend_epi32(ALPHAS, _mm512_cvttps_epi32(color), round64(value));
}

// Converts sixteen pixels of int32 components, four per vector, to bytes.
INLINE __m512i to_bytes(const __m512i *values) {
    __m512i bytes = _mm512_packus_epi16(_mm512_packs_epi32(values[0], values[1]),
                                        _mm512_packs_epi32(values[2], values[3]));
    return _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), bytes);
}

INLINE __m512i with_full_alpha(__m512i bytes) {
    return _mm512_or_si512(bytes, _mm512_set1_epi32((int)0xFF000000));
}

// Zeroes pixels whose alpha byte is zero, including their results of a division by zero.
INLINE __m512i clear_invisible(__m512i bytes) {
    __mmask16 visible = _mm512_test_epi32_mask(bytes, _mm512_set1_epi32((int)0xFF000000));
    return _mm512_maskz_mov_epi32(visible, bytes);
}

// Returns sixteen pixels, four per sum, as bytes.
INLINE __m512i finish_sixteen(const __m512i *sums, __m512i half, __m512i shift, bool opaque) {
    __m512i values[4];
    for (int i = 0; i < 4; i++) {
        values[i] = _mm512_srav_epi32(_mm512_add_epi32(sums[i], half), shift);
    }
    if (opaque) {
        return with_full_alpha(to_bytes(values));
    }
    __m512i least = _mm512_min_epi32(_mm512_min_epi32(values[0], values[1]), _mm512_min_epi32(values[2], values[3]));
    __m512i most = _mm512_max_epi32(_mm512_max_epi32(values[0], values[1]), _mm512_max_epi32(values[2], values[3]));
    __m512i full = _mm512_set1_epi32(255 * 64);
    if (((_mm512_cmpneq_epi32_mask(least, full) | _mm512_cmpneq_epi32_mask(most, full)) & ALPHAS) == 0) {
        // With full alpha the quotient is a multiple of 1/64, which is exact in a float, so no division is needed.
        for (int i = 0; i < 4; i++) {
            values[i] = round64(values[i]);
        }
        return with_full_alpha(to_bytes(values));
    }
    if ((_mm512_cmpgt_epi32_mask(most, _mm512_set1_epi32(31)) & ALPHAS) == 0) {
        return _mm512_setzero_si512();
    }
    for (int i = 0; i < 4; i++) {
        values[i] = straighten(values[i]);
    }
    return clear_invisible(to_bytes(values));
}

INLINE __m512i two_weights(const int16_t *coefficients) {
    int32_t two;
    memcpy(&two, coefficients, sizeof two);
    return _mm512_set1_epi32(two);
}

// Computes the sums of `16 * sixteens` pixels, four per vector, which stay in registers over all row pairs.
INLINE void vertical_strip(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, __m512i half,
                           __m512i shift, size_t pixel, int sixteens, bool opaque, uint8_t *output) {
    __m512i sums[8];
    for (int i = 0; i < 4 * sixteens; i++) {
        sums[i] = _mm512_setzero_si512();
    }
    for (size_t pair = 0; pair < pairs; pair++) {
        __m512i weights = two_weights(coefficients + 2 * pair);
        const int16_t *values = rows[pair] + 8 * pixel;
        for (int i = 0; i < 4 * sixteens; i++) {
            sums[i] = _mm512_dpwssd_epi32(sums[i], _mm512_loadu_si512(values + 32 * i), weights);
        }
    }
    for (int i = 0; i < sixteens; i++) {
        __m512i bytes = finish_sixteen(sums + 4 * i, half, shift, opaque);
        _mm512_storeu_si512(output + 4 * pixel + 64 * i, bytes);
    }
}

// Computes the last pixels, fewer than sixteen.
INLINE void vertical_rest(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, __m512i half,
                          __m512i shift, size_t pixel, size_t pixels, bool opaque, uint8_t *output) {
    // Two bits for the eight values of a pixel.
    uint32_t present = ((uint32_t)1 << 2 * pixels) - 1;
    __m512i sums[4];
    for (int i = 0; i < 4; i++) {
        sums[i] = _mm512_setzero_si512();
    }
    for (size_t pair = 0; pair < pairs; pair++) {
        __m512i weights = two_weights(coefficients + 2 * pair);
        const int16_t *values = rows[pair] + 8 * pixel;
        for (int i = 0; i < 4; i++) {
            __m512i samples = _mm512_maskz_loadu_epi64((__mmask8)(present >> 8 * i), values + 32 * i);
            sums[i] = _mm512_dpwssd_epi32(sums[i], samples, weights);
        }
    }
    __m512i bytes = finish_sixteen(sums, half, shift, opaque);
    _mm512_mask_storeu_epi32(output + 4 * pixel, (__mmask16)((1 << pixels) - 1), bytes);
}

INLINE void vertical_row(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, int32_t precision,
                         size_t width, bool opaque, uint8_t *output) {
    // Combines both roundings of the opaque case, like the scalar variant.
    const __m512i half = _mm512_set1_epi32((1 << (precision - 1)) + (opaque ? 32 << precision : 0));
    const __m512i shift = _mm512_set1_epi32(precision + (opaque ? 6 : 0));
    size_t pixel = 0;
    for (; pixel + 32 <= width; pixel += 32) {
        vertical_strip(rows, coefficients, pairs, half, shift, pixel, 2, opaque, output);
    }
    if (pixel + 16 <= width) {
        vertical_strip(rows, coefficients, pairs, half, shift, pixel, 1, opaque, output);
        pixel += 16;
    }
    if (pixel < width) {
        vertical_rest(rows, coefficients, pairs, half, shift, pixel, width - pixel, opaque, output);
    }
}

TARGET void ck_resize_vertical8_avx512(const int16_t *const *rows, const int16_t *coefficients, size_t pairs,
                                       int32_t precision, size_t width, bool opaque, uint8_t *output) {
    if (opaque) {
        vertical_row(rows, coefficients, pairs, precision, width, true, output);
    } else {
        vertical_row(rows, coefficients, pairs, precision, width, false, output);
    }
}

#endif
