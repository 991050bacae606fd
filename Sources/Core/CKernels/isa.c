#include <stdatomic.h>

#include "include/isa.h"

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

static ck_isa detect(void) {
#if defined(__x86_64__)
    // Required if another library's constructor calls this before the compiler runtime's constructor has run.
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("pclmul")) {
        return CK_SCALAR;
    }
    // The compiler runtimes, libgcc and compiler-rt, report AVX2 and AVX-512 only if XCR0 indicates that the operating
    // system saves their registers. On macOS AVX-512 is reported regardless, since the system enables it at first use.
    if (!__builtin_cpu_supports("avx2")) {
        return CK_SSE42;
    }
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("vpclmulqdq")
               ? CK_AVX512
               : CK_AVX2;
#elif defined(__aarch64__) && defined(__linux__)
    return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0 ? CK_ARM_CRC : CK_NEON;
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
    return CK_ARM_CRC;
#elif defined(__aarch64__)
    return CK_NEON;
#else
    return CK_SCALAR;
#endif
}

ck_isa ck_best_isa(void) {
    // Relaxed suffices: racing threads find the same value, and nothing else is published with it.
    static _Atomic int known = -1;
    int isa = atomic_load_explicit(&known, memory_order_relaxed);
    if (isa < 0) {
        isa = (int)detect();
        atomic_store_explicit(&known, isa, memory_order_relaxed);
    }
    return (ck_isa)isa;
}
