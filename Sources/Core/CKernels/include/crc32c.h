/// CRC-32C (Castagnoli), the checksum of RFC 3720: reflected polynomial 0x82F63B78, initial and final XOR 0xFFFFFFFF.
#ifndef CK_CRC32C_H
#define CK_CRC32C_H

#include <stddef.h>
#include <stdint.h>

#include "isa.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// Continues the checksum `crc` over `count` bytes and returns the new one.
///
/// Start with 0. `ck_crc32c(ck_crc32c(0, a, n), b, m)` is the checksum of a followed by b; both XORs happen inside.
/// `bytes` needs no alignment, may be NULL if `count` is 0, and exactly `count` bytes are read.
uint32_t ck_crc32c(uint32_t crc, const void *CK_NULLABLE bytes, size_t count);

/// `ck_crc32c` with a limit on the instruction set, see `ck_isa`.
uint32_t ck_crc32c_isa(ck_isa isa, uint32_t crc, const void *CK_NULLABLE bytes, size_t count);

#if defined(__cplusplus)
}
#endif

#endif
