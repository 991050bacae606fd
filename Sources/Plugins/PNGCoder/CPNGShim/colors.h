// The list of the colors of a picture with few colors, for the writer.
#ifndef CPNG_COLORS_H
#define CPNG_COLORS_H

#include "CPNGShim.h"

enum { cpng_most_colors = 256, cpng_slot_bits = 10 };

struct cpng_colors {
    /// The colors, in order of appearance.
    uint8_t colors[cpng_most_colors][4];
    size_t count;
    /// The code of each color.
    uint8_t codes[cpng_most_colors];
    int bit_depth;
    bool is_palette;
    /// A hash table with the index of each color plus one; 0 is free. It has four times as many slots as there are
    /// colors.
    uint16_t slots[1 << cpng_slot_bits];
};

/// Writes the codes of a row of pixels, the first one in the highest bits of a byte. Returns false if a color is
/// missing.
bool cpng_colors_pack(const cpng_colors *colors, uint8_t *target, const uint8_t *pixel, size_t width);

#endif
