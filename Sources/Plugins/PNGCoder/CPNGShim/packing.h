// Conversion of rows with four channels to PNG's rows.
#ifndef CPNG_PACKING_H
#define CPNG_PACKING_H

#include "CPNGShim.h"

/// Converts a row of RGBA pixels to 1 to 4 channels: gray, gray and alpha, color, or color and alpha. The gray channel
/// is a copy of the red one. `CPNG_RGBA8` yields 8 bits per channel; other formats yield 16 bits per channel,
/// big-endian.
void cpng_pack(uint8_t *target, const void *row, size_t width, cpng_source source, int channels);

#endif
