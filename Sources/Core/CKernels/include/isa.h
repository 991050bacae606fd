/// Instruction set levels and the choice between the variants of a kernel.
#ifndef CK_ISA_H
#define CK_ISA_H

#if defined(__cplusplus)
extern "C" {
#endif

/// Instruction set levels. Within an architecture a larger value includes the smaller ones. The gaps leave room for
/// more.
///
/// A kernel `ck_x` with variants uses the best variant that the processor supports. The function `ck_x_isa` takes a
/// level as its first argument, and uses the best supported variant that requires no more than this level. So any value
/// is safe on any processor. All variants of a kernel return the same bits.
typedef enum ck_isa {
    /// Portable C, on every architecture.
    CK_SCALAR = 0,
    /// x86-64 with SSE4.2 and PCLMULQDQ.
    CK_SSE42 = 20,
    /// x86-64 with AVX2 and everything in CK_SSE42.
    CK_AVX2 = 40,
    /// x86-64 with AVX-512 F, VL, DQ, BW, VNNI, VPCLMULQDQ and everything in CK_AVX2.
    CK_AVX512 = 60,
    /// arm64, where all processors have NEON.
    CK_NEON = 100,
    /// arm64 with the CRC32 instructions and everything in CK_NEON.
    CK_ARM_CRC = 120
} ck_isa;

/// Returns the highest level that the processor and the operating system support. Detected once; cheap and thread-safe.
ck_isa ck_best_isa(void);

#if defined(__clang__)
#define CK_NONNULL _Nonnull
#define CK_NULLABLE _Nullable
#else
#define CK_NONNULL
#define CK_NULLABLE
#endif

#if defined(__cplusplus)
}
#endif

#endif
