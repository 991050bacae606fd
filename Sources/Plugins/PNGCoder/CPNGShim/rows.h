// The format of rows, which both readers share.
#ifndef CPNG_ROWS_H
#define CPNG_ROWS_H

#include <png.h>
#include <stdbool.h>

/// Returns whether a tRNS chunk makes colors transparent. libpng ignores the chunk if it precedes a PLTE chunk in a
/// picture without a palette.
bool cpng_has_transparency(png_structp png, png_infop info);

/// Sets the format of rows to RGBA with straight alpha, and returns the number of passes over all rows. A channel has
/// 16 bits in native byte order if `wants_16_bits` is true and the file has 16 bits, and otherwise 8 bits. Call this
/// after the header was read.
int cpng_set_rows(png_structp png, png_infop info, bool wants_16_bits);

#endif
