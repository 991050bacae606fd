// What is noted of a picture of few colours, for the writer.
#ifndef CPNG_COLORS_H
#define CPNG_COLORS_H

#include "CPNGShim.h"

enum { cpng_most_colors = 256, cpng_slot_bits = 10 };

struct cpng_colors {
    /// In the order in which they came.
    uint8_t colors[cpng_most_colors][4];
    size_t count;
    /// How each is written.
    uint8_t codes[cpng_most_colors];
    int bit_depth;
    bool is_palette;
    /// By hash of a colour: one more than where it stands; 0 is free. Four times as many as there are colours.
    uint16_t slots[1 << cpng_slot_bits];
};

/// Writes codes for a row of pixels, the first in the highest bits of a byte. False when a colour is not among them.
bool cpng_colors_pack(const cpng_colors *colors, uint8_t *target, const uint8_t *pixel, size_t width);

#endif
