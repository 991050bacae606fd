#include "BenchmarkFloors.h"

// libspng is no dependency of the package: its header is used if it is installed, and its code is loaded at run time.
#if __has_include(<spng.h>)

#include <dlfcn.h>
#include <spng.h>
#include <stdlib.h>

/// The functions of libspng that are called.
typedef struct functions {
    __typeof__(&spng_ctx_new) ctx_new;
    __typeof__(&spng_ctx_free) ctx_free;
    __typeof__(&spng_set_png_buffer) set_png_buffer;
    __typeof__(&spng_decoded_image_size) decoded_image_size;
    __typeof__(&spng_decode_image) decode_image;
    __typeof__(&spng_set_option) set_option;
    __typeof__(&spng_set_ihdr) set_ihdr;
    __typeof__(&spng_set_plte) set_plte;
    __typeof__(&spng_encode_image) encode_image;
    __typeof__(&spng_get_png_buffer) get_png_buffer;
} functions;

static functions spng;

bool benchmark_spng_load(void) {
    void *library = dlopen("libspng.so.0", RTLD_NOW);
    if (library == NULL) return false;
#define LOAD(name) ((spng.name = (__typeof__(spng.name))dlsym(library, "spng_" #name)) != NULL)
    return LOAD(ctx_new) && LOAD(ctx_free) && LOAD(set_png_buffer) && LOAD(decoded_image_size) && LOAD(decode_image) &&
           LOAD(set_option) && LOAD(set_ihdr) && LOAD(set_plte) && LOAD(encode_image) && LOAD(get_png_buffer);
#undef LOAD
}

bool benchmark_spng_decode(const void *bytes, size_t count, uint8_t *pixels, size_t capacity) {
    spng_ctx *context = spng.ctx_new(0);
    if (context == NULL) return false;
    size_t length = 0;
    bool is_done = spng.set_png_buffer(context, bytes, count) == 0 &&
                   spng.decoded_image_size(context, SPNG_FMT_RGBA8, &length) == 0 && length <= capacity &&
                   spng.decode_image(context, pixels, length, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS) == 0;
    spng.ctx_free(context);
    return is_done;
}

uint8_t *benchmark_spng_encode(const benchmark_png_rows *rows, size_t *count) {
    spng_ctx *context = spng.ctx_new(SPNG_CTX_ENCODER);
    if (context == NULL) return NULL;
    struct spng_ihdr header = {
        .width = rows->size.width,
        .height = rows->size.height,
        .bit_depth = rows->bit_depth,
        .color_type = rows->color_type,
    };
    struct spng_plte palette = {.n_entries = rows->palette_count};
    for (int index = 0; index < rows->palette_count; index++) {
        const uint8_t *color = rows->palette + 3 * index;
        palette.entries[index] = (struct spng_plte_entry){color[0], color[1], color[2], 255};
    }
    uint8_t *file = NULL;
    int error = 0;
    // SPNG_FMT_RAW takes channels of 16 bits in big-endian order.
    if (spng.set_option(context, SPNG_ENCODE_TO_BUFFER, 1) == 0 && spng.set_ihdr(context, &header) == 0 &&
        (rows->palette_count == 0 || spng.set_plte(context, &palette) == 0) &&
        spng.encode_image(context, rows->bytes, rows->count, SPNG_FMT_RAW, SPNG_ENCODE_FINALIZE) == 0) {
        file = spng.get_png_buffer(context, count, &error);
    }
    spng.ctx_free(context);
    return file;
}

#else

bool benchmark_spng_load(void) {
    return false;
}

bool benchmark_spng_decode(const void *bytes, size_t count, uint8_t *pixels, size_t capacity) {
    (void)bytes, (void)count, (void)pixels, (void)capacity;
    return false;
}

uint8_t *benchmark_spng_encode(const benchmark_png_rows *rows, size_t *count) {
    (void)rows, (void)count;
    return NULL;
}

#endif
