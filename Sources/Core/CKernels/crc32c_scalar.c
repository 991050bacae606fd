#include "crc32c_variants.h"

// Value b of line k is the checksum register after the byte 1 << b and k zero bytes. As the register is linear in
// its input, the whole slicing-by-8 table folds out of these 64 values at compile time.
#define FOLD(i, s0, s1, s2, s3, s4, s5, s6, s7)                                                                       \
    (((i) & 1 ? s0 : 0) ^ ((i) & 2 ? s1 : 0) ^ ((i) & 4 ? s2 : 0) ^ ((i) & 8 ? s3 : 0) ^ ((i) & 16 ? s4 : 0) ^        \
     ((i) & 32 ? s5 : 0) ^ ((i) & 64 ? s6 : 0) ^ ((i) & 128 ? s7 : 0))
#define FOLD4(i, ...)                                                                                                 \
    FOLD((i), __VA_ARGS__), FOLD((i) + 1, __VA_ARGS__), FOLD((i) + 2, __VA_ARGS__), FOLD((i) + 3, __VA_ARGS__)
#define FOLD16(i, ...)                                                                                                \
    FOLD4((i), __VA_ARGS__), FOLD4((i) + 4, __VA_ARGS__), FOLD4((i) + 8, __VA_ARGS__), FOLD4((i) + 12, __VA_ARGS__)
#define FOLD64(i, ...)                                                                                                \
    FOLD16((i), __VA_ARGS__), FOLD16((i) + 16, __VA_ARGS__), FOLD16((i) + 32, __VA_ARGS__),                           \
        FOLD16((i) + 48, __VA_ARGS__)
#define FOLD256(...)                                                                                                  \
    { FOLD64(0, __VA_ARGS__), FOLD64(64, __VA_ARGS__), FOLD64(128, __VA_ARGS__), FOLD64(192, __VA_ARGS__) }

static const uint32_t table[8][256] = {
    FOLD256(0xF26B8303, 0xE13B70F7, 0xC79A971F, 0x8AD958CF, 0x105EC76F, 0x20BD8EDE, 0x417B1DBC, 0x82F63B78),
    FOLD256(0x13A29877, 0x274530EE, 0x4E8A61DC, 0x9D14C3B8, 0x3FC5F181, 0x7F8BE302, 0xFF17C604, 0xFBC3FAF9),
    FOLD256(0xA541927E, 0x4F6F520D, 0x9EDEA41A, 0x38513EC5, 0x70A27D8A, 0xE144FB14, 0xC76580D9, 0x8B277743),
    FOLD256(0xDD45AAB8, 0xBF672381, 0x7B2231F3, 0xF64463E6, 0xE964B13D, 0xD725148B, 0xABA65FE7, 0x52A0C93F),
    FOLD256(0x38116FAC, 0x7022DF58, 0xE045BEB0, 0xC5670B91, 0x8F2261D3, 0x1BA8B557, 0x37516AAE, 0x6EA2D55C),
    FOLD256(0xEF306B19, 0xDB8CA0C3, 0xB2F53777, 0x6006181F, 0xC00C303E, 0x85F4168D, 0x0E045BEB, 0x1C08B7D6),
    FOLD256(0x68032CC8, 0xD0065990, 0xA5E0C5D1, 0x4E2DFD53, 0x9C5BFAA6, 0x3D5B83BD, 0x7AB7077A, 0xF56E0EF4),
    FOLD256(0x493C7D27, 0x9278FA4E, 0x211D826D, 0x423B04DA, 0x847609B4, 0x0D006599, 0x1A00CB32, 0x34019664),
};

static uint32_t load32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

uint32_t ck_crc32c_scalar(uint32_t crc, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    crc = ~crc;
    for (; count >= 8; count -= 8, next += 8) {
        uint32_t low = crc ^ load32(next);
        uint32_t high = load32(next + 4);
        crc = table[7][low & 255] ^ table[6][low >> 8 & 255] ^ table[5][low >> 16 & 255] ^ table[4][low >> 24] ^
              table[3][high & 255] ^ table[2][high >> 8 & 255] ^ table[1][high >> 16 & 255] ^ table[0][high >> 24];
    }
    for (; count > 0; count--, next++) {
        crc = crc >> 8 ^ table[0][(crc ^ *next) & 255];
    }
    return ~crc;
}
