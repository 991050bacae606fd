/// The variants behind the public function for checksums. Arguments and results are those of the public function.
#ifndef CK_CRC32C_VARIANTS_H
#define CK_CRC32C_VARIANTS_H

#include "isa_limit.h"

uint32_t ck_crc32c_scalar(uint32_t crc, const void *CK_NULLABLE bytes, size_t count);

#if defined(__x86_64__)

uint32_t ck_crc32c_sse42(uint32_t crc, const void *CK_NULLABLE bytes, size_t count);
uint32_t ck_crc32c_avx512(uint32_t crc, const void *CK_NULLABLE bytes, size_t count);

#endif

#if defined(__aarch64__)

uint32_t ck_crc32c_arm(uint32_t crc, const void *CK_NULLABLE bytes, size_t count);

#endif

#endif
