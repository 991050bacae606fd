#include "CPNGShim.h"

#ifdef CALOTYPE_PNG

#include "problem.h"

#include <stdlib.h>
#include <string.h>

struct cpng_writer {
    png_structp png;
    png_infop info;
    uint32_t width;
    int channels;
    cpng_source source;
    /// A row as libpng wants it; NULL when it wants it as it is given.
    uint8_t *row;
    uint8_t *bytes;
    size_t count;
    size_t capacity;
    cpng_problem problem;
};

/// libpng's write function.
static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
    cpng_writer *writer = png_get_io_ptr(png);
    if (count > writer->capacity - writer->count) {
        size_t capacity = writer->capacity > 0 ? writer->capacity : 1 << 16;
        while (capacity - writer->count < count) {
            if (capacity > SIZE_MAX / 2) cpng_fail_with(png, CPNG_OUT_OF_MEMORY, "the file is too long");
            capacity *= 2;
        }
        uint8_t *grown = realloc(writer->bytes, capacity);
        if (grown == NULL) cpng_fail_with(png, CPNG_OUT_OF_MEMORY, "no memory for the file");
        writer->bytes = grown;
        writer->capacity = capacity;
    }
    memcpy(writer->bytes + writer->count, bytes, count);
    writer->count += count;
}

/// libpng's flush function. Without one it would take our pointer for a FILE.
static void flush_nothing(png_structp png) {
    (void)png;
}

cpng_writer *cpng_writer_create(void) {
    cpng_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) return NULL;
    writer->png = png_create_write_struct_2(
        PNG_LIBPNG_VER_STRING, &writer->problem, cpng_fail, cpng_warn, &writer->problem, cpng_allocate, cpng_release);
    if (writer->png != NULL) writer->info = png_create_info_struct(writer->png);
    if (writer->info == NULL) {
        cpng_writer_free(writer);
        return NULL;
    }
    return writer;
}

cpng_status cpng_writer_set_picture(
    cpng_writer *writer, uint32_t width, uint32_t height, int channels, cpng_source source, int level) {
    static const int color_types[] = {
        PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
    if (writer->problem.status != CPNG_OK) return writer->problem.status;
    png_structp png = writer->png;
    if (setjmp(png_jmpbuf(png))) return writer->problem.status;
    png_set_write_fn(png, writer, write_bytes, flush_nothing);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_compression_level(png, level);
    int bit_depth = source == CPNG_RGBA8 ? 8 : 16;
    png_set_IHDR(
        png, writer->info, width, height, bit_depth, color_types[channels - 1], PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    writer->width = width;
    writer->channels = channels;
    writer->source = source;
    if (source != CPNG_RGBA8 || channels != 4) {
        // libpng has taken the width, so eight bytes a pixel do not overflow.
        writer->row = malloc((size_t)width * (size_t)channels * (size_t)(bit_depth / 8));
        if (writer->row == NULL) cpng_fail_with(png, CPNG_OUT_OF_MEMORY, "no memory for a row");
    }
    return CPNG_OK;
}

cpng_status cpng_writer_set_profile(cpng_writer *writer, const void *profile, uint32_t length) {
    if (writer->problem.status != CPNG_OK) return writer->problem.status;
    png_structp png = writer->png;
    if (setjmp(png_jmpbuf(png))) return writer->problem.status;
    png_set_iCCP(png, writer->info, "ICC profile", PNG_COMPRESSION_TYPE_BASE, profile, length);
    // Whether a bad profile is an error or a warning depends on how libpng was built.
    if (png_get_valid(png, writer->info, PNG_INFO_iCCP) == 0) {
        cpng_fail_with(png, CPNG_REFUSED, length > 0 ? writer->problem.warning : "the profile is empty");
    }
    return CPNG_OK;
}

cpng_status cpng_writer_set_srgb(cpng_writer *writer) {
    if (writer->problem.status != CPNG_OK) return writer->problem.status;
    if (setjmp(png_jmpbuf(writer->png))) return writer->problem.status;
    png_set_sRGB(writer->png, writer->info, PNG_sRGB_INTENT_PERCEPTUAL);
    return CPNG_OK;
}

cpng_status cpng_writer_set_exif(cpng_writer *writer, const void *exif, uint32_t length) {
    if (writer->problem.status != CPNG_OK) return writer->problem.status;
    if (setjmp(png_jmpbuf(writer->png))) return writer->problem.status;
    // It copies the block; that the parameter is not const is an oversight.
    png_set_eXIf_1(writer->png, writer->info, length, (png_bytep)exif);
    return CPNG_OK;
}

cpng_status cpng_writer_write_header(cpng_writer *writer) {
    if (writer->problem.status != CPNG_OK) return writer->problem.status;
    if (setjmp(png_jmpbuf(writer->png))) return writer->problem.status;
    png_write_info(writer->png, writer->info);
    return CPNG_OK;
}

/// Which of the four channels are written, by their number.
static const uint8_t written[4][4] = {{0}, {0, 3}, {0, 1, 2}, {0, 1, 2, 3}};

static void pack8(uint8_t *target, const uint8_t *pixel, size_t width, int channels) {
    for (; width > 0; width--, pixel += 4) {
        for (int channel = 0; channel < channels; channel++) *target++ = pixel[written[channels - 1][channel]];
    }
}

/// PNG's 16 bits are big-endian.
static uint8_t *put16(uint8_t *target, uint16_t value) {
    target[0] = (uint8_t)(value >> 8);
    target[1] = (uint8_t)value;
    return target + 2;
}

static void pack16(uint8_t *target, const uint16_t *pixel, size_t width, int channels) {
    for (; width > 0; width--, pixel += 4) {
        for (int channel = 0; channel < channels; channel++) {
            target = put16(target, pixel[written[channels - 1][channel]]);
        }
    }
}

static void pack_float(uint8_t *target, const float *pixel, size_t width, int channels) {
    for (; width > 0; width--, pixel += 4) {
        for (int channel = 0; channel < channels; channel++) {
            float value = pixel[written[channels - 1][channel]];
            // Written so that what is not a number becomes 0.
            float clamped = value > 0 ? (value < 1 ? value : 1) : 0;
            target = put16(target, (uint16_t)(clamped * 65535.0f + 0.5f));
        }
    }
}

cpng_status cpng_writer_write_row(cpng_writer *writer, const void *row) {
    if (writer->problem.status != CPNG_OK) return writer->problem.status;
    if (setjmp(png_jmpbuf(writer->png))) return writer->problem.status;
    if (writer->row == NULL) {
        png_write_row(writer->png, row);
        return CPNG_OK;
    }
    switch (writer->source) {
        case CPNG_RGBA8: pack8(writer->row, row, writer->width, writer->channels); break;
        case CPNG_RGBA16: pack16(writer->row, row, writer->width, writer->channels); break;
        case CPNG_RGBA_FLOAT: pack_float(writer->row, row, writer->width, writer->channels); break;
    }
    png_write_row(writer->png, writer->row);
    return CPNG_OK;
}

cpng_status cpng_writer_finish(cpng_writer *writer, void **bytes, size_t *count) {
    if (writer->problem.status != CPNG_OK) return writer->problem.status;
    if (setjmp(png_jmpbuf(writer->png))) return writer->problem.status;
    // Without the info, which would have the EXIF block written a second time.
    png_write_end(writer->png, NULL);
    uint8_t *shrunk = realloc(writer->bytes, writer->count);
    *bytes = shrunk != NULL ? shrunk : writer->bytes;
    *count = writer->count;
    writer->bytes = NULL;
    writer->count = 0;
    writer->capacity = 0;
    return CPNG_OK;
}

const char *cpng_writer_message(const cpng_writer *writer) {
    return writer->problem.message;
}

void cpng_writer_free(cpng_writer *writer) {
    png_destroy_write_struct(&writer->png, &writer->info);
    free(writer->row);
    free(writer->bytes);
    free(writer);
}

#endif
