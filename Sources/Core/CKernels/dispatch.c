#include <stdatomic.h>

#include "kernels.h"

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

static ck_isa detect(void) {
#if defined(__x86_64__)
    // Needed when another library's constructor calls in before the compiler runtime's has run.
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("pclmul")) {
        return CK_SCALAR;
    }
    // The compiler runtimes, libgcc and compiler-rt, report AVX2 and AVX-512 only where XCR0 says that the operating
    // system saves their registers. Only on macOS is AVX-512 reported unasked: the system turns it on at first use.
    if (!__builtin_cpu_supports("avx2")) {
        return CK_SSE42;
    }
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("vpclmulqdq")
               ? CK_AVX512
               : CK_AVX2;
#elif defined(__aarch64__) && defined(__linux__)
    return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0 ? CK_ARM_CRC : CK_SCALAR;
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
    return CK_ARM_CRC;
#else
    return CK_SCALAR;
#endif
}

ck_isa ck_best_isa(void) {
    // Relaxed is enough: threads that race find the same value, and nothing else is published with it.
    static _Atomic int known = -1;
    int isa = atomic_load_explicit(&known, memory_order_relaxed);
    if (isa < 0) {
        isa = (int)detect();
        atomic_store_explicit(&known, isa, memory_order_relaxed);
    }
    return (ck_isa)isa;
}

typedef struct variants {
    void (*pack8)(const uint8_t *, const uint8_t *, size_t, bool, int16_t *, int16_t *);
    void (*horizontal8)(const int16_t *, const int16_t *, const ck_window8 *, const int16_t *, int32_t, size_t,
                        int16_t *);
    void (*vertical8)(const int16_t *const *, const int16_t *, size_t, int32_t, size_t, bool, uint8_t *);
    uint32_t (*crc32c)(uint32_t, const void *, size_t);
} variants;

static const variants scalar = {
    ck_resize_pack8_scalar, ck_resize_horizontal8_scalar, ck_resize_vertical8_scalar, ck_crc32c_scalar,
};

#if defined(__x86_64__)
static const variants sse42 = {
    ck_resize_pack8_scalar, ck_resize_horizontal8_scalar, ck_resize_vertical8_scalar, ck_crc32c_sse42,
};

static const variants avx2 = {
    ck_resize_pack8_avx2, ck_resize_horizontal8_avx2, ck_resize_vertical8_avx2, ck_crc32c_sse42,
};

static const variants avx512 = {
    ck_resize_pack8_avx2, ck_resize_horizontal8_avx2, ck_resize_vertical8_avx2, ck_crc32c_avx512,
};
#endif

#if defined(__aarch64__)
static const variants arm_crc = {
    ck_resize_pack8_scalar, ck_resize_horizontal8_scalar, ck_resize_vertical8_scalar, ck_crc32c_arm,
};
#endif

static const variants *variants_for(ck_isa limit) {
    ck_isa best = ck_best_isa();
    ck_isa isa = limit < best ? limit : best;
#if defined(__x86_64__)
    if (isa >= CK_AVX512) {
        return &avx512;
    }
    if (isa >= CK_AVX2) {
        return &avx2;
    }
    if (isa >= CK_SSE42) {
        return &sse42;
    }
#elif defined(__aarch64__)
    if (isa >= CK_ARM_CRC) {
        return &arm_crc;
    }
#endif
    (void)isa;
    return &scalar;
}

size_t ck_resize_packed_pixels(size_t width) {
    return ((width + 3) & ~(size_t)3) + 4;
}

void ck_resize_pack8_isa(ck_isa isa, const uint8_t *row0, const uint8_t *row1, size_t width, bool opaque,
                         int16_t *packed0, int16_t *packed1) {
    variants_for(isa)->pack8(row0, row1, width, opaque, packed0, packed1);
}

void ck_resize_horizontal8_isa(ck_isa isa, const int16_t *packed0, const int16_t *packed1, const ck_window8 *windows,
                               const int16_t *coefficients, int32_t precision, size_t count, int16_t *output) {
    variants_for(isa)->horizontal8(packed0, packed1, windows, coefficients, precision, count, output);
}

void ck_resize_vertical8_isa(ck_isa isa, const int16_t *const *rows, const int16_t *coefficients, size_t pairs,
                             int32_t precision, size_t width, bool opaque, uint8_t *output) {
    variants_for(isa)->vertical8(rows, coefficients, pairs, precision, width, opaque, output);
}

uint32_t ck_crc32c_isa(ck_isa isa, uint32_t crc, const void *bytes, size_t count) {
    return variants_for(isa)->crc32c(crc, bytes, count);
}

void ck_resize_pack8(const uint8_t *row0, const uint8_t *row1, size_t width, bool opaque, int16_t *packed0,
                     int16_t *packed1) {
    ck_resize_pack8_isa(ck_best_isa(), row0, row1, width, opaque, packed0, packed1);
}

void ck_resize_horizontal8(const int16_t *packed0, const int16_t *packed1, const ck_window8 *windows,
                           const int16_t *coefficients, int32_t precision, size_t count, int16_t *output) {
    ck_resize_horizontal8_isa(ck_best_isa(), packed0, packed1, windows, coefficients, precision, count, output);
}

void ck_resize_vertical8(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, int32_t precision,
                         size_t width, bool opaque, uint8_t *output) {
    ck_resize_vertical8_isa(ck_best_isa(), rows, coefficients, pairs, precision, width, opaque, output);
}

uint32_t ck_crc32c(uint32_t crc, const void *bytes, size_t count) {
    return ck_crc32c_isa(ck_best_isa(), crc, bytes, count);
}
