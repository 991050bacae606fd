#include "linear_variants.h"

#if defined(__aarch64__)

#include <arm_neon.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

// Forced, so that every call with a constant `opaque` becomes separate code.
#define INLINE __attribute__((always_inline)) static inline

enum {
    // Full intensity in units of 1/64.
    FULL = 255 * 64,
    // Output pixels of the vertical pass whose sums stay in registers over all row pairs.
    STRIP = 8,
};

// The 256 entries of a table, with separate lookups for their two bytes.
typedef struct byte_tables {
    uint8x16x4_t low[4];
    uint8x16x4_t high[4];
} byte_tables;

static byte_tables make_tables(const int16_t *table) {
    byte_tables tables;
    for (int i = 0; i < 16; i++) {
        // The load deinterleaves the bytes; the low byte of a value comes first.
        uint8x16x2_t bytes = vld2q_u8((const uint8_t *)(table + 16 * i));
        tables.low[i / 4].val[i % 4] = bytes.val[0];
        tables.high[i / 4].val[i % 4] = bytes.val[1];
    }
    return tables;
}

// Looks up 16 pixels for each of three colors. An index beyond a quarter keeps the result of another quarter.
INLINE void look_up(const uint8x16x4_t *quarters, const uint8x16_t *indices, uint8x16_t *found) {
    for (int i = 0; i < 3; i++) {
        found[i] = vqtbl4q_u8(quarters[0], indices[i]);
    }
    for (int quarter = 1; quarter < 4; quarter++) {
        for (int i = 0; i < 3; i++) {
            uint8x16_t places = vsubq_u8(indices[i], vdupq_n_u8((uint8_t)(64 * quarter)));
            found[i] = vqtbx4q_u8(found[i], quarters[quarter], places);
        }
    }
}

// Returns the linear color of eight pixels times alpha. `alphas` are alphas times 257, so that the divisor is 65535.
INLINE uint16x8_t premultiply(uint16x8_t value, uint16x8_t alphas) {
    uint16x8_t first = vreinterpretq_u16_u32(vmull_u16(vget_low_u16(value), vget_low_u16(alphas)));
    uint16x8_t second = vreinterpretq_u16_u32(vmull_high_u16(value, alphas));
    // The product is 65535 * high + (high + low), and the second term divided by 65535 rounds to 0 or 1.
    uint16x8_t low = vuzp1q_u16(first, second);
    uint16x8_t high = vuzp2q_u16(first, second);
    return vsraq_n_u16(high, vqaddq_u16(high, low), 15);
}

// Packs eight pixels, whose components are separate.
INLINE void store_eight(const uint16x8_t *colors, uint8x8_t alpha, bool opaque, int16_t *packed) {
    uint32x4x4_t pixels;
    uint16x8_t alphas = vreinterpretq_u16_u8(vcombine_u8(vzip1_u8(alpha, alpha), vzip2_u8(alpha, alpha)));
    for (int i = 0; i < 3; i++) {
        uint16x8_t value = opaque ? colors[i] : premultiply(colors[i], alphas);
        pixels.val[i] = vreinterpretq_u32_u16(value);
    }
    pixels.val[3] = vreinterpretq_u32_u16(vshll_n_u8(alpha, 6));
    // The store interleaves elements of two pixels each.
    vst4q_u32((uint32_t *)packed, pixels);
}

INLINE void pack_sixteen(const uint8_t *source, bool opaque, const byte_tables *tables, int16_t *packed) {
    uint8x16x4_t pixels = vld4q_u8(source);
    uint8x16_t low[3], high[3];
    look_up(tables->low, pixels.val, low);
    look_up(tables->high, pixels.val, high);
    // Keeps the following code behind the lookups. Mixed with them, it needs registers that the tables occupy.
    __asm__("" : "+w"(low[0]), "+w"(low[1]), "+w"(low[2]), "+w"(high[0]), "+w"(high[1]), "+w"(high[2]));
    uint16x8_t first[3], second[3];
    for (int i = 0; i < 3; i++) {
        first[i] = vreinterpretq_u16_u8(vzip1q_u8(low[i], high[i]));
        second[i] = vreinterpretq_u16_u8(vzip2q_u8(low[i], high[i]));
    }
    store_eight(first, vget_low_u8(pixels.val[3]), opaque, packed);
    store_eight(second, vget_high_u8(pixels.val[3]), opaque, packed + 32);
}

INLINE void pack_row(const uint8_t *row, size_t width, bool opaque, const int16_t *table, const byte_tables *tables,
                     int16_t *packed) {
    size_t pixel = 0;
    for (; pixel + 16 <= width; pixel += 16) {
        pack_sixteen(row + 4 * pixel, opaque, tables, packed + 4 * pixel);
    }
    ck_linear_pack_from(row, pixel, width, opaque, table, packed);
}

static void pack_any_row(const uint8_t *row, size_t width, bool opaque, const int16_t *table,
                         const byte_tables *tables, int16_t *packed) {
    if (row == NULL) {
        memset(packed, 0, ck_resize_packed_pixels(width) * 4 * sizeof *packed);
    } else if (opaque) {
        pack_row(row, width, true, table, tables, packed);
    } else {
        pack_row(row, width, false, table, tables, packed);
    }
}

void ck_resize_pack8_linear_neon(const uint8_t *row0, const uint8_t *row1, size_t width, bool opaque,
                                 const int16_t *table, int16_t *packed0, int16_t *packed1) {
    const byte_tables tables = make_tables(table);
    pack_any_row(row0, width, opaque, table, &tables, packed0);
    pack_any_row(row1, width, opaque, table, &tables, packed1);
}

// Returns the coefficients of two samples, repeated for each of the 4 components.
INLINE int16x8_t two_weights(const int16_t *coefficients) {
    int32_t two;
    memcpy(&two, coefficients, sizeof two);
    int16x8_t weights = vreinterpretq_s16_s32(vdupq_n_s32(two));
    // Hides that its halves are equal, as in the variant without a table.
    __asm__("" : "+w"(weights));
    return weights;
}

// Converts a pixel of int32 components to table indices and the byte of alpha. Where alpha becomes 0, color is
// meaningless.
INLINE uint16x4_t to_indices(int32x4_t value, bool opaque) {
    int32x4_t color = value;
    int32x4_t alpha = vdupq_n_s32(255);
    if (!opaque) {
        float32x4_t components = vcvtq_f32_s32(value);
        float32x4_t scaled = vmulq_f32(components, vdupq_n_f32((float)FULL));
        float32x4_t quotient = vaddq_f32(vdivq_f32(scaled, vdupq_laneq_f32(components, 3)), vdupq_n_f32(0.5f));
        // A value out of range becomes the largest integer.
        color = vcvtq_s32_f32(quotient);
        alpha = vminq_s32(vrshrq_n_s32(value, 6), alpha);
    }
    color = vminq_s32(color, vdupq_n_s32(FULL));
    return vqmovun_s32(vcopyq_laneq_s32(color, 3, alpha, 3));
}

// Looks up the colors of a strip one by one, since the table exceeds all registers.
INLINE void store_strip(const uint16_t *indices, bool opaque, const uint8_t *table, uint8_t *output) {
    for (int i = 0; i < 4 * STRIP; i += 4) {
        if (!opaque && indices[i + 3] == 0) {
            memset(output + i, 0, 4);
            continue;
        }
        output[i] = table[indices[i]];
        output[i + 1] = table[indices[i + 1]];
        output[i + 2] = table[indices[i + 2]];
        output[i + 3] = (uint8_t)indices[i + 3];
    }
}

INLINE void vertical_strip(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, int32_t precision,
                           size_t pixel, bool opaque, const uint8_t *table, uint8_t *output) {
    const int32x4_t half = vdupq_n_s32(1 << (precision - 1));
    const int32x4_t shift = vdupq_n_s32(-precision);
    // For each pixel, two samples of red and green, and two of blue and alpha.
    int32x4_t low[STRIP], high[STRIP];
    for (int i = 0; i < STRIP; i++) {
        low[i] = high[i] = vdupq_n_s32(0);
    }
    for (size_t pair = 0; pair < pairs; pair++) {
        int16x8_t weights = two_weights(coefficients + 2 * pair);
        const int16_t *values = rows[pair] + 8 * pixel;
        for (int i = 0; i < STRIP; i++) {
            int16x8_t samples = vld1q_s16(values + 8 * i);
            low[i] = vmlal_s16(low[i], vget_low_s16(samples), vget_low_s16(weights));
            high[i] = vmlal_high_s16(high[i], samples, weights);
        }
    }
    uint16_t indices[4 * STRIP];
    for (int i = 0; i < STRIP; i++) {
        // Not the rounding shift, which would not wrap around like plain C.
        int32x4_t value = vshlq_s32(vaddq_s32(vpaddq_s32(low[i], high[i]), half), shift);
        vst1_u16(indices + 4 * i, to_indices(value, opaque));
    }
    store_strip(indices, opaque, table, output + 4 * pixel);
}

INLINE void vertical_row(const int16_t *const *rows, const int16_t *coefficients, size_t pairs, int32_t precision,
                         size_t width, bool opaque, const uint8_t *table, uint8_t *output) {
    size_t pixel = 0;
    for (; pixel + STRIP <= width; pixel += STRIP) {
        vertical_strip(rows, coefficients, pairs, precision, pixel, opaque, table, output);
    }
    if (pixel < width) {
        // The last pixels, which may be processed a second time.
        vertical_strip(rows, coefficients, pairs, precision, width - STRIP, opaque, table, output);
    }
}

void ck_resize_vertical8_linear_neon(const int16_t *const *rows, const int16_t *coefficients, size_t pairs,
                                     int32_t precision, size_t width, bool opaque, const uint8_t *table,
                                     uint8_t *output) {
    if (width < STRIP) {
        ck_resize_vertical8_linear_scalar(rows, coefficients, pairs, precision, width, opaque, table, output);
    } else if (opaque) {
        vertical_row(rows, coefficients, pairs, precision, width, true, table, output);
    } else {
        vertical_row(rows, coefficients, pairs, precision, width, false, table, output);
    }
}

#endif
