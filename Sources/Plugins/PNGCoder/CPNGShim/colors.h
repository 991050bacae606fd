// The list of the colors of a picture with few colors, for the writer.
#ifndef CPNG_COLORS_H
#define CPNG_COLORS_H

#include "CPNGShim.h"

enum { cpng_most_colors = 256, cpng_slot_bits = 10 };

struct cpng_colors {
    /// The colors, in order of appearance.
    uint8_t colors[cpng_most_colors][4];
    size_t count;
    /// The code of each color, at the index of the color.
    uint8_t codes[cpng_most_colors];
    int bit_depth;
    bool is_palette;
    /// A hash table that contains the index of each color plus 1; 0 marks a free slot. There are four times as many
    /// slots as colors, so that few colors collide.
    uint16_t slots[1 << cpng_slot_bits];
};

/// Writes the codes of a row of `width` pixels to `target`. The code of the first pixel is in the highest bits of the
/// first byte. Returns false if a pixel has a color that is not in the list.
bool cpng_colors_pack(const cpng_colors *colors, uint8_t *target, const uint8_t *pixel, size_t width);

#endif
