// Rows as PNG has them, of rows of four channels.
#ifndef CPNG_PACKING_H
#define CPNG_PACKING_H

#include "CPNGShim.h"

/// Writes 1 to 4 channels of each pixel: gray, gray and alpha, colour, or colour and alpha; gray is taken from red.
/// 8 bits for each channel of `CPNG_RGBA8`, else 16 and big-endian.
void cpng_pack(uint8_t *target, const void *row, size_t width, cpng_source source, int channels);

#endif
