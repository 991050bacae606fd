#include "crc32c_variants.h"

uint32_t ck_crc32c_isa(ck_isa isa, uint32_t crc, const void *bytes, size_t count) {
    isa = ck_usable_isa(isa);
#if defined(__x86_64__)
    if (isa >= CK_AVX512) {
        return ck_crc32c_avx512(crc, bytes, count);
    }
    if (isa >= CK_SSE42) {
        return ck_crc32c_sse42(crc, bytes, count);
    }
#elif defined(__aarch64__)
    if (isa >= CK_ARM_CRC) {
        return ck_crc32c_arm(crc, bytes, count);
    }
#endif
    return ck_crc32c_scalar(crc, bytes, count);
}

uint32_t ck_crc32c(uint32_t crc, const void *bytes, size_t count) {
    return ck_crc32c_isa(ck_best_isa(), crc, bytes, count);
}
