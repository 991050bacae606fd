#include "CPNGShim.h"

#ifdef CALOTYPE_PNG

#include "stored.h"

#include "CKernels.h"
#include "rows.h"

#include <string.h>

static void set_color(cpng_stored_form *form, size_t code, int red, int green, int blue, int alpha) {
    const uint8_t bytes[4] = {(uint8_t)red, (uint8_t)green, (uint8_t)blue, (uint8_t)alpha};
    memcpy(&form->colors[code], bytes, sizeof bytes);
}

static void set_palette_colors(cpng_stored_form *form, png_structp png, png_infop info) {
    png_colorp palette = NULL;
    png_bytep alphas = NULL;
    int count = 0;
    int alpha_count = 0;
    png_get_PLTE(png, info, &palette, &count);
    png_get_tRNS(png, info, &alphas, &alpha_count, NULL);
    for (int code = 0; code < count; code++) {
        int alpha = alphas != NULL && code < alpha_count ? alphas[code] : UINT8_MAX;
        set_color(form, (size_t)code, palette[code].red, palette[code].green, palette[code].blue, alpha);
    }
    for (int code = count; code < 256; code++) set_color(form, (size_t)code, 0, 0, 0, UINT8_MAX);
}

static void set_gray_levels(cpng_stored_form *form) {
    int most = (1 << form->bit_depth) - 1;
    for (int code = 0; code <= most; code++) {
        int level = code * UINT8_MAX / most;
        set_color(form, (size_t)code, level, level, level, form->has_key && code == form->key[0] ? 0 : UINT8_MAX);
    }
}

static void set_key(cpng_stored_form *form, png_structp png, png_infop info) {
    png_color_16p color = NULL;
    if (!cpng_has_transparency(png, info)) return;
    png_get_tRNS(png, info, NULL, NULL, &color);
    if (color == NULL) return;
    unsigned mask = (1u << form->bit_depth) - 1;
    form->has_key = true;
    form->key[0] = (form->channels == 1 ? color->gray : color->red) & mask;
    form->key[1] = color->green & mask;
    form->key[2] = color->blue & mask;
}

cpng_stored_form cpng_get_stored_form(png_structp png, png_infop info) {
    cpng_stored_form form = {
        .bit_depth = png_get_bit_depth(png, info),
        .channels = png_get_channels(png, info),
    };
    if (png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE) {
        set_palette_colors(&form, png, info);
        return form;
    }
    if ((png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA) == 0) set_key(&form, png, info);
    if (form.channels == 1 && form.bit_depth <= 8) set_gray_levels(&form);
    return form;
}

static void expand_rgb8(const cpng_stored_form *form, const uint8_t *row, size_t width, uint8_t *pixels) {
    const uint8_t key[3] = {(uint8_t)form->key[0], (uint8_t)form->key[1], (uint8_t)form->key[2]};
    ck_expand_rgb8(row, width, form->has_key ? key : NULL, pixels);
}

void cpng_expand_row(const cpng_stored_form *form, const void *row, size_t width, bool wants_16_bits, void *pixels) {
    if (form->bit_depth == 16) {
        const uint16_t *key = form->has_key ? form->key : NULL;
        if (wants_16_bits) {
            ck_expand_16(row, width, form->channels, key, pixels);
        } else {
            ck_expand_16_to_8(row, width, form->channels, key, pixels);
        }
        return;
    }
    switch (form->channels) {
        case 1: ck_expand_codes(row, width, form->bit_depth, form->colors, pixels); break;
        case 2: ck_expand_gray_alpha8(row, width, pixels); break;
        case 3: expand_rgb8(form, row, width, pixels); break;
        default: memcpy(pixels, row, 4 * width);
    }
}

#endif
