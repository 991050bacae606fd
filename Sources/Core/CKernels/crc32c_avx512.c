#include "crc32c_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512vl,avx512dq,vpclmulqdq,pclmul,sse4.2")))
#define INLINE TARGET __attribute__((always_inline)) static inline

// Folding as in Gopal et al., Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction (Intel, 2009),
// on the four 16-byte lanes of a register at once. The product answers after several cycles, so four registers run side
// by side.
enum { VECTOR = 64, BLOCK = 4 * VECTOR };

// Folding is faster from one block on, but only by nanoseconds below this length. Some processors would first have to
// power up their wide units.
enum { SHORTEST = 1024 };

// FOLD_n moves a lane n bytes on: x^(8 * n + 31) for its first 8 bytes, which stand 64 bits higher, and x^(8 * n - 33)
// for its last 8, both modulo the polynomial, reflected. The exponents are short by the 32 that a factor in the low
// half of 64 bits adds and the 1 of reflection.
#define FOLD_16 0xF20C0DFE, 0x493C7D27
#define FOLD_32 0x3DA6D0CB, 0xBA4FC28E
#define FOLD_48 0x1C291D04, 0xDDC0152B
#define FOLD_64 0x740EEF02, 0x9E4ADDF8
#define FOLD_128 0x6992CEA2, 0x0D3B6092
#define FOLD_192 0xA87AB8A8, 0xAB7AFF2A
#define FOLD_256 0xDCB17AA4, 0xB9E02B86
#define ALL_LANES(fold) lanes(fold, fold, fold, fold)

INLINE __m512i lanes(int64_t first0, int64_t last0, int64_t first1, int64_t last1, int64_t first2, int64_t last2,
                     int64_t first3, int64_t last3) {
    return _mm512_setr_epi64(first0, last0, first1, last1, first2, last2, first3, last3);
}

INLINE __m512i load(const uint8_t *bytes) {
    return _mm512_loadu_si512(bytes);
}

// Returns `value` moved by `factors`, combined with `data`.
INLINE __m512i fold(__m512i value, __m512i factors, __m512i data) {
    __m512i first = _mm512_clmulepi64_epi128(value, factors, 0x00);
    __m512i last = _mm512_clmulepi64_epi128(value, factors, 0x11);
    // 0x96 is the truth table of a three-way XOR.
    return _mm512_ternarylogic_epi64(first, last, data, 0x96);
}

TARGET uint32_t ck_crc32c_avx512(uint32_t crc, const void *bytes, size_t count) {
    if (count < SHORTEST) {
        return ck_crc32c_sse42(crc, bytes, count);
    }
    const uint8_t *next = bytes;
    // The register is combined with the first 4 bytes.
    __m512i state = _mm512_zextsi128_si512(_mm_cvtsi32_si128((int32_t)~crc));
    __m512i value0 = _mm512_xor_si512(load(next), state);
    __m512i value1 = load(next + VECTOR);
    __m512i value2 = load(next + 2 * VECTOR);
    __m512i value3 = load(next + 3 * VECTOR);
    count -= BLOCK;
    next += BLOCK;

    const __m512i fold256 = ALL_LANES(FOLD_256);
    for (; count >= BLOCK; count -= BLOCK, next += BLOCK) {
        value0 = fold(value0, fold256, load(next));
        value1 = fold(value1, fold256, load(next + VECTOR));
        value2 = fold(value2, fold256, load(next + 2 * VECTOR));
        value3 = fold(value3, fold256, load(next + 3 * VECTOR));
    }

    // Each is folded directly onto the last one, so that the products do not wait for each other.
    const __m512i fold64 = ALL_LANES(FOLD_64);
    value3 = fold(value0, ALL_LANES(FOLD_192), value3);
    value3 = fold(value1, ALL_LANES(FOLD_128), value3);
    value3 = fold(value2, fold64, value3);
    for (; count >= VECTOR; count -= VECTOR, next += VECTOR) {
        value3 = fold(value3, fold64, load(next));
    }

    // The first three lanes are folded onto the last one, which is unchanged.
    __m512i moved = fold(value3, lanes(FOLD_48, FOLD_32, FOLD_16, 0, 0), _mm512_maskz_mov_epi64(0xC0, value3));
    __m256i half = _mm256_xor_si256(_mm512_castsi512_si256(moved), _mm512_extracti64x4_epi64(moved, 1));
    __m128i lane = _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    // These 16 bytes now have the checksum of everything before `next`.
    uint64_t result = _mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(lane));
    result = _mm_crc32_u64(result, (uint64_t)_mm_extract_epi64(lane, 1));
    return ck_crc32c_sse42(~(uint32_t)result, next, count);
}

#endif
