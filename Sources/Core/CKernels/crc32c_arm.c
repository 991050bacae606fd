#include "crc32c_variants.h"

#if defined(__aarch64__)

#include <arm_acle.h>
#include <string.h>

#if defined(__ARM_FEATURE_CRC32)
#define TARGET
#elif defined(__clang__)
#define TARGET __attribute__((target("crc")))
#else
#define TARGET __attribute__((target("+crc")))
#endif

TARGET uint32_t ck_crc32c_arm(uint32_t crc, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    crc = ~crc;
    for (; count >= 8; count -= 8, next += 8) {
        uint64_t value;
        memcpy(&value, next, sizeof value);
        crc = __crc32cd(crc, value);
    }
    for (; count > 0; count--, next++) {
        crc = __crc32cb(crc, *next);
    }
    return ~crc;
}

#endif
