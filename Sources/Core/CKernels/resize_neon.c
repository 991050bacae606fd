#include "resize_variants.h"

#if defined(__aarch64__)

#include <arm_neon.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

// Forced, so that every call with a constant `opaque` becomes separate code.
#define INLINE __attribute__((always_inline)) static inline

// Packs four pixels to 16 interleaved values.
INLINE void pack_four(const uint8_t *source, bool opaque, int16_t *packed) {
    static const uint8_t interleave[16] = {0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15};
    // Alpha in the position of each color. The index 0xFF is out of range and yields zero.
    static const uint8_t spread[16] = {3, 7, 3, 7, 3, 7, 0xFF, 0xFF, 11, 15, 11, 15, 11, 15, 0xFF, 0xFF};
    // Alpha itself is multiplied by full.
    static const uint8_t whole[16] = {0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    uint8x16_t pixels = vld1q_u8(source);
    uint8x16_t value = vqtbl1q_u8(pixels, vld1q_u8(interleave));
    uint16x8_t halves[2];
    if (opaque) {
        halves[0] = vshll_n_u8(vget_low_u8(value), 6);
        halves[1] = vshll_high_n_u8(value, 6);
    } else {
        uint8x16_t alpha = vorrq_u8(vqtbl1q_u8(pixels, vld1q_u8(spread)), vld1q_u8(whole));
        halves[0] = vmull_u8(vget_low_u8(value), vget_low_u8(alpha));
        halves[1] = vmull_high_u8(value, alpha);
        for (int i = 0; i < 2; i++) {
            // round(64 / 255 * value) is (value + value / 255 + 2) / 4 as in the scalar variant. This quotient by 255
            // is one less only at multiples of 255, which the rounding hides.
            uint16x8_t quotient = vshrq_n_u16(vsraq_n_u16(halves[i], halves[i], 8), 8);
            halves[i] = vrshrq_n_u16(vaddq_u16(halves[i], quotient), 2);
        }
    }
    vst1q_s16(packed, vreinterpretq_s16_u16(halves[0]));
    vst1q_s16(packed + 8, vreinterpretq_s16_u16(halves[1]));
}

INLINE void pack_row(const uint8_t *row, size_t width, bool opaque, int16_t *packed) {
    size_t pixel = 0;
    for (; pixel + 4 <= width; pixel += 4) {
        pack_four(row + 4 * pixel, opaque, packed + 4 * pixel);
    }
    if (pixel < width) {
        uint8_t rest[16] = {0};
        memcpy(rest, row + 4 * pixel, 4 * (width - pixel));
        pack_four(rest, opaque, packed + 4 * pixel);
        pixel += 4;
    }
    memset(packed + 4 * pixel, 0, 16 * sizeof *packed);
}

static void pack_any_row(const uint8_t *row, size_t width, bool opaque, int16_t *packed) {
    if (row == NULL) {
        memset(packed, 0, ck_resize_packed_pixels(width) * 4 * sizeof *packed);
    } else if (opaque) {
        pack_row(row, width, true, packed);
    } else {
        pack_row(row, width, false, packed);
    }
}

void ck_resize_pack8_neon(const uint8_t *row0, const uint8_t *row1, size_t width, bool opaque, int16_t *packed0,
                          int16_t *packed1) {
    pack_any_row(row0, width, opaque, packed0);
    pack_any_row(row1, width, opaque, packed1);
}

// Returns the coefficients of two samples, repeated for each of the 4 components.
INLINE int16x8_t two_weights(const int16_t *coefficients) {
    int32_t two;
    memcpy(&two, coefficients, sizeof two);
    int16x8_t weights = vreinterpretq_s16_s32(vdupq_n_s32(two));
    // Hides that its halves are equal. If clang knows it, it moves the upper halves of all samples down to the lower
    // one.
    __asm__("" : "+w"(weights));
    return weights;
}

// The sums of 8 values, which are the 4 components of two samples. The samples are added only at the end.
typedef struct sums8 {
    int32x4_t low;
    int32x4_t high;
} sums8;

INLINE sums8 no_sums(void) {
    return (sums8){vdupq_n_s32(0), vdupq_n_s32(0)};
}

INLINE sums8 accumulate(sums8 sums, const int16_t *values, int16x8_t weights) {
    int16x8_t samples = vld1q_s16(values);
    return (sums8){
        vmlal_s16(sums.low, vget_low_s16(samples), vget_low_s16(weights)),
        vmlal_high_s16(sums.high, samples, weights),
    };
}

INLINE sums8 total(const sums8 *parts) {
    return (sums8){vaddq_s32(parts[0].low, parts[1].low), vaddq_s32(parts[0].high, parts[1].high)};
}

// Returns the components of one pixel. Not with the rounding shift, which would not wrap around like plain C.
INLINE int32x4_t finish(sums8 sums, int32x4_t half, int32x4_t shift) {
    return vshlq_s32(vaddq_s32(vpaddq_s32(sums.low, sums.high), half), shift);
}

void ck_resize_horizontal8_neon(const int16_t *packed0, const int16_t *packed1, const ck_window8 *windows,
                                const int16_t *coefficients, int32_t precision, size_t count, int16_t *output) {
    const int32x4_t half = vdupq_n_s32(1 << (precision - 1));
    const int32x4_t shift = vdupq_n_s32(-precision);
    for (size_t pixel = 0; pixel < count; pixel++, output += 8) {
        ck_window8 window = windows[pixel];
        const int16_t *values0 = packed0 + 4 * (size_t)window.start;
        const int16_t *values1 = packed1 + 4 * (size_t)window.start;
        const int16_t *weights = coefficients + window.offset;
        // The first and the last two taps of a group have separate sums, so that no addition waits for the previous
        // one.
        sums8 sums0[2] = {no_sums(), no_sums()};
        sums8 sums1[2] = {no_sums(), no_sums()};
        for (int32_t group = 0; group < window.groups; group++, values0 += 16, values1 += 16, weights += 4) {
            int16x8_t first = two_weights(weights);
            int16x8_t second = two_weights(weights + 2);
            sums0[0] = accumulate(sums0[0], values0, first);
            sums1[0] = accumulate(sums1[0], values1, first);
            sums0[1] = accumulate(sums0[1], values0 + 8, second);
            sums1[1] = accumulate(sums1[1], values1 + 8, second);
        }
        int16x4_t pixel0 = vqmovn_s32(finish(total(sums0), half, shift));
        int16x4_t pixel1 = vqmovn_s32(finish(total(sums1), half, shift));
        vst1q_s16(output, vcombine_s16(vzip1_s16(pixel0, pixel1), vzip2_s16(pixel0, pixel1)));
    }
}

enum {
    // The number of output pixels of the vertical pass whose sums stay in registers over all row pairs.
    STRIP = 8,
};

INLINE int32x4_t round64(int32x4_t value) {
    return vrshrq_n_s32(value, 6);
}

// Returns the straight components of a pixel. Where alpha rounds to 0, color is meaningless.
INLINE int32x4_t straighten(int32x4_t value) {
    float32x4_t components = vcvtq_f32_s32(value);
    float32x4_t scaled = vmulq_f32(components, vdupq_n_f32(255.0f));
    float32x4_t color = vaddq_f32(vdivq_f32(scaled, vdupq_laneq_f32(components, 3)), vdupq_n_f32(0.5f));
    return vcopyq_laneq_s32(vcvtq_s32_f32(color), 3, round64(value), 3);
}

// Converts four pixels to bytes.
INLINE uint32x4_t to_bytes(int32x4_t value0, int32x4_t value1, int32x4_t value2, int32x4_t value3) {
    uint16x8_t first = vqmovun_high_s32(vqmovun_s32(value0), value1);
    uint16x8_t second = vqmovun_high_s32(vqmovun_s32(value2), value3);
    return vreinterpretq_u32_u8(vqmovn_high_u16(vqmovn_u16(first), second));
}

INLINE uint32x4_t alpha_bytes(void) {
    return vdupq_n_u32(0xFF000000);
}

INLINE uint32x4_t fill_alpha(uint32x4_t bytes) {
    return vorrq_u32(bytes, alpha_bytes());
}

// Zeroes pixels whose alpha byte is zero, including their results of a division by zero.
INLINE uint32x4_t clear_invisible(uint32x4_t bytes) {
    return vandq_u32(bytes, vtstq_u32(bytes, alpha_bytes()));
}

INLINE void store(uint8_t *output, uint32x4_t bytes) {
    vst1q_u8(output, vreinterpretq_u8_u32(bytes));
}

// Stores the pixels of a strip. Opaque ones are already rounded to whole levels.
INLINE void store_strip(int32x4_t *values, bool opaque, uint8_t *output) {
    if (!opaque) {
        int32x4_t least = values[0];
        int32x4_t most = values[0];
        for (int i = 1; i < STRIP; i++) {
            least = vminq_s32(least, values[i]);
            most = vmaxq_s32(most, values[i]);
        }
        int32_t full = 255 * 64;
        if (vgetq_lane_s32(most, 3) < 32) {
            memset(output, 0, 4 * STRIP);
            return;
        }
        if (vgetq_lane_s32(least, 3) != full || vgetq_lane_s32(most, 3) != full) {
            for (int i = 0; i < STRIP; i += 4) {
                store(output + 4 * i,
                      clear_invisible(to_bytes(straighten(values[i]), straighten(values[i + 1]),
                                               straighten(values[i + 2]), straighten(values[i + 3]))));
            }
            return;
        }
        // With full alpha the quotient is a multiple of 1/64, which is exact in a float, so no division is needed.
        for (int i = 0; i < STRIP; i++) {
            values[i] = round64(values[i]);
        }
    }
    for (int i = 0; i < STRIP; i += 4) {
        store(output + 4 * i, fill_alpha(to_bytes(values[i], values[i + 1], values[i + 2], values[i + 3])));
    }
}

INLINE void vertical_strip(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, int32x4_t half,
                           int32x4_t shift, size_t pixel, bool opaque, uint8_t *output) {
    sums8 sums[STRIP];
    for (int i = 0; i < STRIP; i++) {
        sums[i] = no_sums();
    }
    for (size_t pair = 0; pair < pairs; pair++) {
        int16x8_t weights = two_weights(coefficients + 2 * pair);
        const int16_t *values = rows[pair] + 8 * pixel;
        for (int i = 0; i < STRIP; i++) {
            sums[i] = accumulate(sums[i], values + 8 * i, weights);
        }
    }
    int32x4_t values[STRIP];
    for (int i = 0; i < STRIP; i++) {
        values[i] = finish(sums[i], half, shift);
    }
    store_strip(values, opaque, output + 4 * pixel);
}

INLINE void vertical_one(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, int32x4_t half,
                         int32x4_t shift, size_t pixel, bool opaque, uint8_t *output) {
    sums8 sums = no_sums();
    for (size_t pair = 0; pair < pairs; pair++) {
        sums = accumulate(sums, rows[pair] + 8 * pixel, two_weights(coefficients + 2 * pair));
    }
    int32x4_t value = finish(sums, half, shift);
    if (!opaque) {
        value = straighten(value);
    }
    uint32x4_t pixels = to_bytes(value, value, value, value);
    uint32_t bytes = vgetq_lane_u32(opaque ? fill_alpha(pixels) : clear_invisible(pixels), 0);
    memcpy(output + 4 * pixel, &bytes, sizeof bytes);
}

INLINE void vertical_row(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, int32_t precision,
                         size_t width, bool opaque, uint8_t *output) {
    // Combines both roundings of the opaque case, like the scalar variant.
    const int32x4_t half = vdupq_n_s32((1 << (precision - 1)) + (opaque ? 32 << precision : 0));
    const int32x4_t shift = vdupq_n_s32(-precision - (opaque ? 6 : 0));
    if (width < STRIP) {
        for (size_t pixel = 0; pixel < width; pixel++) {
            vertical_one(rows, coefficients, pairs, half, shift, pixel, opaque, output);
        }
        return;
    }
    size_t pixel = 0;
    for (; pixel + STRIP <= width; pixel += STRIP) {
        vertical_strip(rows, coefficients, pairs, half, shift, pixel, opaque, output);
    }
    if (pixel < width) {
        // The last pixels, which may be processed a second time.
        vertical_strip(rows, coefficients, pairs, half, shift, width - STRIP, opaque, output);
    }
}

void ck_resize_vertical8_neon(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, int32_t precision,
                              size_t width, bool opaque, uint8_t *output) {
    if (opaque) {
        vertical_row(rows, coefficients, pairs, precision, width, true, output);
    } else {
        vertical_row(rows, coefficients, pairs, precision, width, false, output);
    }
}

#endif
