#include "linear_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx512vbmi")))
// Forced, so that every call with a constant `opaque` becomes a separate loop.
#define INLINE TARGET __attribute__((always_inline)) static inline

// The same bytes in every lane of 16.
#define ALL_LANES(...) _mm512_broadcast_i32x4(_mm_setr_epi8(__VA_ARGS__))

// In bytes, as when packing without a table.
enum { PREFETCH_DISTANCE = 8192 };

// One byte of each of the 256 entries of a table.
typedef struct byte_table {
    __m512i quarters[4];
} byte_table;

INLINE byte_table make_table(const int16_t *table, unsigned shift) {
    byte_table bytes;
    for (int i = 0; i < 4; i++) {
        __m512i low = _mm512_srli_epi16(_mm512_loadu_si512(table + 64 * i), shift);
        __m512i high = _mm512_srli_epi16(_mm512_loadu_si512(table + 64 * i + 32), shift);
        bytes.quarters[i] = _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi16_epi8(low)),
                                               _mm512_cvtepi16_epi8(high), 1);
    }
    return bytes;
}

// Performs 64 lookups: each half of the table by seven bits of the index, and the eighth bit selects.
INLINE __m512i look_up(byte_table table, __m512i indices) {
    __m512i low = _mm512_permutex2var_epi8(table.quarters[0], indices, table.quarters[1]);
    __m512i high = _mm512_permutex2var_epi8(table.quarters[2], indices, table.quarters[3]);
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(indices), low, high);
}

// Returns the linear color and alpha of eight pixels in 16 bits each; `bytes` are their bytes, widened.
INLINE __m512i finish_eight(__m512i color, __m512i bytes, bool opaque) {
    const __mmask32 alphas = 0xC0C0C0C0;
    __m512i value = _mm512_mask_slli_epi16(color, alphas, bytes, 6);
    if (opaque) {
        return value;
    }
    // The rounding of the AVX2 variant.
    const __m512i spread = ALL_LANES(12, 12, 14, 14, 12, 12, 14, 14, 12, 12, 14, 14, -1, -1, -1, -1);
    const __m512i whole = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 0, 0, -1));
    __m512i alpha = _mm512_or_si512(_mm512_shuffle_epi8(bytes, spread), whole);
    __m512i high = _mm512_mulhi_epu16(value, alpha);
    __m512i low = _mm512_mullo_epi16(value, alpha);
    return _mm512_add_epi16(high, _mm512_srli_epi16(_mm512_adds_epu16(high, low), 15));
}

INLINE void pack_row(const uint8_t *row, size_t width, bool opaque, const int16_t *table, int16_t *packed) {
    // Interleaves two pixels to 8 bytes, the first eight pixels into the low halves of the lanes. From there on, the
    // low halves are those pixels in order.
    static const uint8_t order[64] = {
        0,  4,  1,  5,  2,  6,  3,  7,  32, 36, 33, 37, 34, 38, 35, 39, 8,  12, 9,  13, 10, 14,
        11, 15, 40, 44, 41, 45, 42, 46, 43, 47, 16, 20, 17, 21, 18, 22, 19, 23, 48, 52, 49, 53,
        50, 54, 51, 55, 24, 28, 25, 29, 26, 30, 27, 31, 56, 60, 57, 61, 58, 62, 59, 63,
    };
    const __m512i interleave = _mm512_loadu_si512(order);
    const __m512i zero = _mm512_setzero_si512();
    const byte_table low_bytes = make_table(table, 0);
    const byte_table high_bytes = make_table(table, 8);
    size_t pixel = 0;
    for (; pixel + 16 <= width; pixel += 16) {
        const uint8_t *source = row + 4 * pixel;
        _mm_prefetch((const char *)((uintptr_t)source + PREFETCH_DISTANCE), _MM_HINT_T0);
        __m512i bytes = _mm512_permutexvar_epi8(interleave, _mm512_loadu_si512(source));
        __m512i low = look_up(low_bytes, bytes);
        __m512i high = look_up(high_bytes, bytes);
        _mm512_storeu_si512(packed + 4 * pixel, finish_eight(_mm512_unpacklo_epi8(low, high),
                                                             _mm512_unpacklo_epi8(bytes, zero), opaque));
        _mm512_storeu_si512(packed + 4 * pixel + 32, finish_eight(_mm512_unpackhi_epi8(low, high),
                                                                  _mm512_unpackhi_epi8(bytes, zero), opaque));
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

TARGET void ck_resize_pack8_linear_vbmi(const uint8_t *row0, const uint8_t *row1, size_t width, bool opaque,
                                        const int16_t *table, int16_t *packed0, int16_t *packed1) {
    pack_any_row(row0, width, opaque, table, packed0);
    pack_any_row(row1, width, opaque, table, packed1);
}

#endif
