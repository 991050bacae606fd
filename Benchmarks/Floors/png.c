#include "BenchmarkFloors.h"

#ifdef CALOTYPE_PNG

#include <png.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const uint8_t *next;
    size_t left;
} reader;

/// libpng's read function.
static void read_bytes(png_structp png, png_bytep target, size_t count) {
    reader *reader = png_get_io_ptr(png);
    if (count > reader->left) png_error(png, "the bytes end");
    memcpy(target, reader->next, count);
    reader->next += count;
    reader->left -= count;
}

uint8_t *benchmark_png_decode(const void *bytes, size_t count, uint32_t *width, uint32_t *height) {
    reader source = {bytes, count};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    if (png == NULL) return NULL;
    png_infop info = png_create_info_struct(png);
    // Set after setjmp and read after longjmp.
    uint8_t *volatile pixels = NULL;
    if (info == NULL || setjmp(png_jmpbuf(png))) {
        png_destroy_read_struct(&png, &info, NULL);
        free(pixels);
        return NULL;
    }
    png_set_read_fn(png, &source, read_bytes);
    png_read_info(png, info);
    png_set_expand(png);
    png_set_gray_to_rgb(png);
    png_set_scale_16(png);
    png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);

    *width = png_get_image_width(png, info);
    *height = png_get_image_height(png, info);
    size_t row_length = png_get_rowbytes(png, info);
    if (row_length != (size_t)*width * 4) png_error(png, "rows are not RGBA");
    pixels = malloc(row_length * *height);
    if (pixels == NULL) png_error(png, "no memory for the pixels");
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t y = 0; y < *height; y++) png_read_row(png, pixels + y * row_length, NULL);
    }
    png_destroy_read_struct(&png, &info, NULL);
    return pixels;
}

uint8_t *benchmark_png_decode_file(const char *path, size_t count, uint32_t *width, uint32_t *height) {
    void *bytes = benchmark_read(path, count);
    if (bytes == NULL) return NULL;
    uint8_t *pixels = benchmark_png_decode(bytes, count, width, height);
    free(bytes);
    return pixels;
}

typedef struct writer {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
} writer;

/// libpng's write function.
static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
    writer *writer = png_get_io_ptr(png);
    if (count > writer->capacity - writer->count) {
        size_t capacity = writer->capacity > 0 ? writer->capacity : 1 << 16;
        while (capacity - writer->count < count) capacity *= 2;
        uint8_t *grown = realloc(writer->bytes, capacity);
        if (grown == NULL) png_error(png, "no memory for the file");
        writer->bytes = grown;
        writer->capacity = capacity;
    }
    memcpy(writer->bytes + writer->count, bytes, count);
    writer->count += count;
}

static void flush_nothing(png_structp png) {
    (void)png;
}

uint8_t *benchmark_png_encode(const benchmark_png_rows *rows, size_t *count) {
    writer target = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    if (png == NULL) return NULL;
    png_infop info = png_create_info_struct(png);
    if (info == NULL || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        free(target.bytes);
        return NULL;
    }
    png_set_write_fn(png, &target, write_bytes, flush_nothing);
    png_set_compression_level(png, 6);
    png_set_IHDR(
        png, info, rows->size.width, rows->size.height, rows->bit_depth, rows->color_type, PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    // A palette is an array of three bytes for each color, as in libpng.
    if (rows->palette_count > 0) png_set_PLTE(png, info, (png_const_colorp)rows->palette, rows->palette_count);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    size_t row_length = rows->count / rows->size.height;
    for (uint32_t y = 0; y < rows->size.height; y++) png_write_row(png, rows->bytes + y * row_length);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    *count = target.count;
    return target.bytes;
}

#endif
