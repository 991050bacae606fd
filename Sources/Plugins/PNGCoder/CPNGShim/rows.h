// The format of rows, which both readers share.
#ifndef CPNG_ROWS_H
#define CPNG_ROWS_H

#include <png.h>
#include <stdbool.h>

/// Sets the format of rows to RGBA with straight alpha: 16 bits in native byte order if they are requested and the file
/// has them, otherwise 8. Call this after the header was read. Returns the number of passes.
int cpng_set_rows(png_structp png, png_infop info, bool wants_16_bits);

#endif
