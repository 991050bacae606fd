#include "crc32c_variants.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("sse4.2,pclmul")))

// The instruction answers every cycle but takes three, so three streams run side by side. Their length is a compromise:
// short ones pay more for joining the streams, long ones leave more to the single stream at the end.
enum { LONG_STREAM = 1024, SHORT_STREAM = 128 };

// x^(8 * n - 33) modulo the polynomial, reflected: a carry-less product with it, reduced by the crc32 instruction,
// moves a register n bytes on. The exponent is short of 8 * n by the 32 the reduction adds and the 1 of reflection.
#define SKIP_128 0x0D3B6092
#define SKIP_256 0xB9E02B86
#define SKIP_1024 0x170076FA
#define SKIP_2048 0xA51B6135

static inline uint64_t load64(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

TARGET static inline __m128i product(uint64_t crc, uint32_t factor) {
    return _mm_clmulepi64_si128(_mm_cvtsi64_si128((int64_t)crc), _mm_cvtsi64_si128((int64_t)factor), 0);
}

// Processes three streams of `length` bytes at `next`. `skip1` and `skip2` move a register by one and two lengths.
TARGET static inline uint64_t three_streams(uint64_t crc, const uint8_t *next, size_t length, uint32_t skip1,
                                            uint32_t skip2) {
    uint64_t crc0 = crc, crc1 = 0, crc2 = 0;
    for (size_t i = 0; i < length; i += 8) {
        crc0 = _mm_crc32_u64(crc0, load64(next + i));
        crc1 = _mm_crc32_u64(crc1, load64(next + length + i));
        crc2 = _mm_crc32_u64(crc2, load64(next + 2 * length + i));
    }
    __m128i moved = _mm_xor_si128(product(crc0, skip2), product(crc1, skip1));
    return _mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(moved)) ^ crc2;
}

TARGET uint32_t ck_crc32c_sse42(uint32_t crc, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    uint64_t state = ~crc;
    for (; count >= 3 * LONG_STREAM; count -= 3 * LONG_STREAM, next += 3 * LONG_STREAM) {
        state = three_streams(state, next, LONG_STREAM, SKIP_1024, SKIP_2048);
    }
    for (; count >= 3 * SHORT_STREAM; count -= 3 * SHORT_STREAM, next += 3 * SHORT_STREAM) {
        state = three_streams(state, next, SHORT_STREAM, SKIP_128, SKIP_256);
    }
    for (; count >= 8; count -= 8, next += 8) {
        state = _mm_crc32_u64(state, load64(next));
    }
    for (; count > 0; count--, next++) {
        state = _mm_crc32_u8((uint32_t)state, *next);
    }
    return ~(uint32_t)state;
}

#endif
