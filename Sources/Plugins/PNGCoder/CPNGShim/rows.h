// What the two ways to read share: how rows come out.
#ifndef CPNG_ROWS_H
#define CPNG_ROWS_H

#include <png.h>
#include <stdbool.h>

/// Makes rows come as RGBA with straight alpha: 16 bits in the machine's byte order where they are wanted and the file
/// has them, else 8. To be called when the header is read. Returns how many passes there are.
int cpng_set_rows(png_structp png, png_infop info, bool wants_16_bits);

#endif
