#include "CPNGShim.h"

#ifdef CALOTYPE_PNG

#include "problem.h"
#include "rows.h"

bool cpng_has_transparency(png_structp png, png_infop info) {
    int count = 0;
    return png_get_tRNS(png, info, NULL, &count, NULL) != 0 && count > 0;
}

int cpng_set_rows(png_structp png, png_infop info, bool wants_16_bits) {
    // Palettes become colors, fewer bits become 8, and tRNS becomes alpha. An index beyond the palette becomes opaque
    // black, as section 13.2 of the PNG specification, third edition, requires.
    png_set_expand(png);
    png_set_gray_to_rgb(png);
    bool has_16_bits = png_get_bit_depth(png, info) == 16;
    if (has_16_bits && !wants_16_bits) png_set_scale_16(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (has_16_bits && wants_16_bits) png_set_swap(png);
#endif
    bool has_alpha = (png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA) != 0;
    if (!has_alpha && !cpng_has_transparency(png, info)) png_set_filler(png, 0xFFFF, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    size_t bytes_per_pixel = has_16_bits && wants_16_bits ? 8 : 4;
    if (png_get_rowbytes(png, info) != bytes_per_pixel * png_get_image_width(png, info)) {
        cpng_fail_with(png, CPNG_REFUSED, "rows would be of another length than four channels have");
    }
    return passes;
}

#endif
