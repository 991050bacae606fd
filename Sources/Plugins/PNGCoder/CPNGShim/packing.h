// Conversion of rows with four channels to PNG's rows.
#ifndef CPNG_PACKING_H
#define CPNG_PACKING_H

#include "CPNGShim.h"

/// Writes 1 to 4 channels of each pixel: gray, gray and alpha, color, or color and alpha. Gray is taken from red.
/// `CPNG_RGBA8` yields 8 bits for each channel; other formats yield 16 bits, big-endian.
void cpng_pack(uint8_t *target, const void *row, size_t width, cpng_source source, int channels);

#endif
