/// The common parts of the SSE4.1 and AVX2 variants of linear.h: the lookups, for which a wider register has no
/// advantage. The including file defines TARGET, the instruction set of the variant, and INLINE.
#ifndef CK_LINEAR_X86_H
#define CK_LINEAR_X86_H

#include <immintrin.h>
#include <string.h>

#include "linear_variants.h"

enum {
    // In bytes, as when packing without a table.
    PREFETCH_DISTANCE = 8192,
    // Full intensity in units of 1/64.
    FULL = 255 * 64,
    // Output pixels of the vertical pass whose sums stay in registers over all row pairs.
    STRIP = 8,
};

// Color by color: SSE4.1 looks up no more than 16 bytes at once, and AVX2's gather instruction takes twice as long on
// the measured processors.
INLINE __m128i look_up(uint64_t pixels, const int16_t *table, __m128i alpha) {
    alpha = _mm_insert_epi16(alpha, table[pixels & 0xFF], 0);
    alpha = _mm_insert_epi16(alpha, table[pixels >> 32 & 0xFF], 1);
    alpha = _mm_insert_epi16(alpha, table[pixels >> 8 & 0xFF], 2);
    alpha = _mm_insert_epi16(alpha, table[pixels >> 40 & 0xFF], 3);
    alpha = _mm_insert_epi16(alpha, table[pixels >> 16 & 0xFF], 4);
    return _mm_insert_epi16(alpha, table[pixels >> 48 & 0xFF], 5);
}

// Packs two pixels to 8 interleaved values.
INLINE __m128i pack_two(const uint8_t *source, bool opaque, const int16_t *table) {
    uint64_t pixels;
    memcpy(&pixels, source, sizeof pixels);
    __m128i bytes = _mm_cvtsi64_si128((int64_t)pixels);
    const __m128i alpha_places = _mm_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 3, -1, 7, -1);
    __m128i value = look_up(pixels, table, _mm_slli_epi16(_mm_shuffle_epi8(bytes, alpha_places), 6));
    if (opaque) {
        return value;
    }
    // Alpha times 257 in the position of each color, and 65535 in its own, which is the divisor.
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

// Looks up the colors of a strip. The indices, and the byte of alpha, are passed in memory, which is faster than
// extracting 16 bits at a time from vectors.
INLINE void store_strip(const uint16_t *indices, bool opaque, const uint8_t *table, uint8_t *output) {
    for (int i = 0; i < 4 * STRIP; i += 4) {
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

#endif
