// The form in which a file stores its pixels.
#ifndef CPNG_STORED_H
#define CPNG_STORED_H

#include "CPNGShim.h"

#include <png.h>

/// Returns the form in which the file stores its pixels. Call this after the header was read.
cpng_stored_form cpng_get_stored_form(png_structp png, png_infop info);

#endif
