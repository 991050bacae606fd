#include "linear.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

#define TARGET __attribute__((target("avx2")))
// Forced, so that every call with a constant `opaque` becomes a loop of its own.
#define INLINE TARGET __attribute__((always_inline)) static inline

// Bytes, as when packing without a table.
enum { PREFETCH_DISTANCE = 8192 };

enum {
    // Full intensity in units of 1/64.
    FULL = 255 * 64,
};

// Colour by colour: on the processors that were measured, gathering takes twice as long.
INLINE __m128i look_up(uint64_t pixels, const int16_t *table, __m128i alpha) {
    alpha = _mm_insert_epi16(alpha, table[pixels & 0xFF], 0);
    alpha = _mm_insert_epi16(alpha, table[pixels >> 32 & 0xFF], 1);
    alpha = _mm_insert_epi16(alpha, table[pixels >> 8 & 0xFF], 2);
    alpha = _mm_insert_epi16(alpha, table[pixels >> 40 & 0xFF], 3);
    alpha = _mm_insert_epi16(alpha, table[pixels >> 16 & 0xFF], 4);
    return _mm_insert_epi16(alpha, table[pixels >> 48 & 0xFF], 5);
}

// Two pixels to 8 interleaved values.
INLINE __m128i pack_two(const uint8_t *source, bool opaque, const int16_t *table) {
    uint64_t pixels;
    memcpy(&pixels, source, sizeof pixels);
    __m128i bytes = _mm_cvtsi64_si128((int64_t)pixels);
    const __m128i alpha_places = _mm_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 3, -1, 7, -1);
    __m128i value = look_up(pixels, table, _mm_slli_epi16(_mm_shuffle_epi8(bytes, alpha_places), 6));
    if (opaque) {
        return value;
    }
    // Alpha times 257 in the place of each colour, 65535 in its own: that is what to divide by.
    const __m128i spread = _mm_setr_epi8(3, 3, 7, 7, 3, 3, 7, 7, 3, 3, 7, 7, -1, -1, -1, -1);
    const __m128i whole = _mm_setr_epi32(0, 0, 0, -1);
    __m128i alpha = _mm_or_si128(_mm_shuffle_epi8(bytes, spread), whole);
    // The product is 65535 * high + (high + low), and the second term divided by 65535 rounds to 0 or 1.
    __m128i high = _mm_mulhi_epu16(value, alpha);
    __m128i low = _mm_mullo_epi16(value, alpha);
    return _mm_add_epi16(high, _mm_srli_epi16(_mm_adds_epu16(high, low), 15));
}

INLINE void pack_row(const uint8_t *row, size_t width, bool opaque, const int16_t *table, int16_t *packed) {
    size_t pixel = 0;
    for (; pixel + 4 <= width; pixel += 4) {
        const uint8_t *source = row + 4 * pixel;
        _mm_prefetch((const char *)((uintptr_t)source + PREFETCH_DISTANCE), _MM_HINT_T0);
        _mm_store_si128((__m128i *)(packed + 4 * pixel), pack_two(source, opaque, table));
        _mm_store_si128((__m128i *)(packed + 4 * pixel + 8), pack_two(source + 8, opaque, table));
    }
    ck_linear_pack_from(row, pixel, width, opaque, table, packed);
}

TARGET static void pack_any_row(const uint8_t *row, size_t width, bool opaque, const int16_t *table,
                                int16_t *packed) {
    if (row == NULL) {
        memset(packed, 0, ck_resize_packed_pixels(width) * 4 * sizeof *packed);
    } else if (opaque) {
        pack_row(row, width, true, table, packed);
    } else {
        pack_row(row, width, false, table, packed);
    }
}

TARGET void ck_resize_pack8_linear_avx2(const uint8_t *row0, const uint8_t *row1, size_t width, bool opaque,
                                        const int16_t *table, int16_t *packed0, int16_t *packed1) {
    pack_any_row(row0, width, opaque, table, packed0);
    pack_any_row(row1, width, opaque, table, packed1);
}

// Two pixels of int32 components to what is looked up and the byte of alpha, all of which may be below 0. Where alpha
// becomes 0 colour is meaningless.
INLINE __m256i to_indices(__m256i value, bool opaque) {
    __m256i colour = value;
    __m256i alpha = _mm256_set1_epi32(255);
    if (!opaque) {
        __m256 divisor = _mm256_cvtepi32_ps(_mm256_shuffle_epi32(value, 0xFF));
        __m256 scaled = _mm256_mul_ps(_mm256_cvtepi32_ps(value), _mm256_set1_ps((float)FULL));
        __m256 quotient = _mm256_add_ps(_mm256_div_ps(scaled, divisor), _mm256_set1_ps(0.5f));
        // Clamped before it becomes an integer, which it may be too large for.
        colour = _mm256_cvttps_epi32(_mm256_min_ps(quotient, _mm256_set1_ps((float)FULL)));
        __m256i rounded = _mm256_srai_epi32(_mm256_add_epi32(value, _mm256_set1_epi32(32)), 6);
        alpha = _mm256_min_epi32(rounded, alpha);
    }
    colour = _mm256_min_epi32(colour, _mm256_set1_epi32(FULL));
    return _mm256_blend_epi32(colour, alpha, 0x88);
}

// Looks up the colours of eight pixels.
INLINE void store_eight(const uint16_t *indices, bool opaque, const uint8_t *table, uint8_t *output) {
    for (int i = 0; i < 32; i += 4) {
        if (!opaque && indices[i + 3] == 0) {
            memset(output + i, 0, 4);
            continue;
        }
        output[i] = table[indices[i]];
        output[i + 1] = table[indices[i + 1]];
        output[i + 2] = table[indices[i + 2]];
        output[i + 3] = (uint8_t)indices[i + 3];
    }
}

INLINE void vertical_eight(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, int32_t precision,
                           size_t pixel, bool opaque, const uint8_t *table, uint8_t *output) {
    const __m256i half = _mm256_set1_epi32(1 << (precision - 1));
    const __m128i shift = _mm_cvtsi32_si128(precision);
    __m256i sums[4] = {half, half, half, half};
    for (size_t pair = 0; pair < pairs; pair++) {
        int32_t two;
        memcpy(&two, coefficients + 2 * pair, sizeof two);
        const __m256i weights = _mm256_set1_epi32(two);
        const int16_t *values = rows[pair] + 8 * pixel;
        for (int i = 0; i < 4; i++) {
            __m256i samples = _mm256_loadu_si256((const __m256i *)(values + 16 * i));
            sums[i] = _mm256_add_epi32(sums[i], _mm256_madd_epi16(samples, weights));
        }
    }
    // By way of memory, which is faster than taking 16 bits at a time out of vectors.
    uint16_t indices[32];
    for (int i = 0; i < 4; i += 2) {
        __m256i first = to_indices(_mm256_sra_epi32(sums[i], shift), opaque);
        __m256i second = to_indices(_mm256_sra_epi32(sums[i + 1], shift), opaque);
        __m256i four = _mm256_permute4x64_epi64(_mm256_packus_epi32(first, second), _MM_SHUFFLE(3, 1, 2, 0));
        _mm256_storeu_si256((__m256i *)(indices + 8 * i), four);
    }
    store_eight(indices, opaque, table, output + 4 * pixel);
}

INLINE void vertical_row(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, int32_t precision,
                         size_t width, bool opaque, const uint8_t *table, uint8_t *output) {
    size_t pixel = 0;
    for (; pixel + 8 <= width; pixel += 8) {
        vertical_eight(rows, coefficients, pairs, precision, pixel, opaque, table, output);
    }
    if (pixel < width) {
        // The last eight pixels, some of them a second time.
        vertical_eight(rows, coefficients, pairs, precision, width - 8, opaque, table, output);
    }
}

TARGET void ck_resize_vertical8_linear_avx2(const int16_t *const *rows, const int16_t *coefficients, size_t pairs,
                                            int32_t precision, size_t width, bool opaque, const uint8_t *table,
                                            uint8_t *output) {
    if (width < 8) {
        ck_resize_vertical8_linear_scalar(rows, coefficients, pairs, precision, width, opaque, table, output);
    } else if (opaque) {
        vertical_row(rows, coefficients, pairs, precision, width, true, table, output);
    } else {
        vertical_row(rows, coefficients, pairs, precision, width, false, table, output);
    }
}

#endif
