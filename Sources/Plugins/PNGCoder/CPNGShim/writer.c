#include "CPNGShim.h"

#ifdef CALOTYPE_PNG

#include "colors.h"
#include "packing.h"
#include "problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct cpng_writer {
    png_structp png;
    png_infop info;
    /// libpng's writer for the rows of the current frame; NULL for the first frame, and until the frame's first row.
    png_structp frame;
    png_infop frame_info;
    cpng_form form;
    /// The size in pixels of the picture or of the current frame.
    uint32_t width;
    uint32_t height;
    /// The memory for a converted row; NULL if libpng accepts the caller's rows as they are.
    uint8_t *row;
    bool has_frames;
    /// The sequence number of the next fcTL or fdAT chunk.
    uint32_t sequence;
    /// Whether the rows are those of a frame other than the first.
    bool is_in_frame;
    /// Whether libpng does not know of the pixels of the picture, because the caller compressed them.
    bool has_compressed_pixels;
    /// Whether `frame` is writing a chunk of pixels.
    bool is_in_pixels;
    /// The checksum of the fdAT chunk so far.
    uLong checksum;
    uint8_t *bytes;
    size_t count;
    size_t capacity;
    cpng_problem problem;
};

static void append(cpng_writer *writer, png_structp png, const uint8_t *bytes, size_t count) {
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

/// libpng's write function.
static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
    append(png_get_io_ptr(png), png, bytes, count);
}

/// libpng's write function for frames after the first. `frame` writes a file of its own; only its chunks of pixels are
/// kept, as fdAT chunks with a sequence number. Source: W3C PNG, third edition, section 11.3.6.3.
static void write_frame_bytes(png_structp png, png_bytep bytes, size_t count) {
    cpng_writer *writer = png_get_io_ptr(png);
    switch (png_get_io_state(png) & PNG_IO_MASK_LOC) {
        case PNG_IO_CHUNK_HDR: {
            writer->is_in_pixels = memcmp(bytes + 4, "IDAT", 4) == 0;
            if (!writer->is_in_pixels) return;
            uint8_t header[12] = {0, 0, 0, 0, 'f', 'd', 'A', 'T'};
            png_save_uint_32(header, png_get_uint_32(bytes) + 4);
            png_save_uint_32(header + 8, writer->sequence++);
            writer->checksum = crc32(0, header + 4, 8);
            append(writer, png, header, sizeof header);
            return;
        }
        case PNG_IO_CHUNK_DATA:
            if (!writer->is_in_pixels) return;
            writer->checksum = crc32(writer->checksum, bytes, (uInt)count);
            append(writer, png, bytes, count);
            return;
        case PNG_IO_CHUNK_CRC: {
            if (!writer->is_in_pixels) return;
            uint8_t checksum[4];
            png_save_uint_32(checksum, (png_uint_32)writer->checksum);
            append(writer, png, checksum, sizeof checksum);
            return;
        }
    }
}

/// libpng's flush function, which does nothing. Without a flush function, libpng would treat the pointer to the writer
/// as a FILE.
static void flush_nothing(png_structp png) {
    (void)png;
}

static png_structp create_png(cpng_writer *writer) {
    return png_create_write_struct_2(
        PNG_LIBPNG_VER_STRING, &writer->problem, cpng_fail, cpng_warn, &writer->problem, cpng_allocate, cpng_release);
}

cpng_writer *cpng_writer_create(void) {
    cpng_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) return NULL;
    writer->png = create_png(writer);
    if (writer->png != NULL) writer->info = png_create_info_struct(writer->png);
    if (writer->info == NULL) {
        cpng_writer_free(writer);
        return NULL;
    }
    return writer;
}

static int bit_depth(const cpng_form *form) {
    if (form->colors != NULL) return form->colors->bit_depth;
    return form->source == CPNG_RGBA8 ? 8 : 16;
}

static int color_type(const cpng_form *form) {
    static const int color_types[] = {
        PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
    if (form->colors == NULL) return color_types[form->channels - 1];
    return form->colors->is_palette ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_GRAY;
}

static void set_palette(png_structp png, png_infop info, const cpng_colors *colors) {
    png_color palette[cpng_most_colors];
    uint8_t alphas[cpng_most_colors];
    for (size_t index = 0; index < colors->count; index++) {
        const uint8_t *color = colors->colors[index];
        uint8_t code = colors->codes[index];
        palette[code] = (png_color){.red = color[0], .green = color[1], .blue = color[2]};
        alphas[code] = color[3];
    }
    png_set_PLTE(png, info, palette, (int)colors->count);
    int transparent = (int)cpng_colors_transparent_count(colors);
    if (transparent > 0) png_set_tRNS(png, info, alphas, transparent, NULL);
}

/// Sets the write function, the size, the color type and the palette of a libpng writer.
static void describe(
    cpng_writer *writer, png_structp png, png_infop info, png_rw_ptr write, uint32_t width, uint32_t height) {
    png_set_write_fn(png, writer, write, flush_nothing);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_compression_level(png, writer->form.level);
    if (writer->form.filters_up && writer->form.colors == NULL) png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
    png_set_IHDR(
        png, info, width, height, bit_depth(&writer->form), color_type(&writer->form), PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (color_type(&writer->form) == PNG_COLOR_TYPE_PALETTE) set_palette(png, info, writer->form.colors);
    writer->width = width;
    writer->height = height;
}

cpng_status cpng_writer_set_picture(cpng_writer *writer, uint32_t width, uint32_t height, cpng_form form) {
    if (writer->problem.status != CPNG_OK) return writer->problem.status;
    png_structp png = writer->png;
    if (setjmp(png_jmpbuf(png))) return writer->problem.status;
    writer->form = form;
    describe(writer, png, writer->info, write_bytes, width, height);
    if (form.source == CPNG_RGBA8 && form.channels == 4 && form.colors == NULL) return CPNG_OK;
    // libpng has accepted the width, so eight bytes per pixel cannot overflow.
    size_t bytes_per_pixel = form.colors != NULL ? 1 : (size_t)form.channels * (size_t)(bit_depth(&form) / 8);
    writer->row = malloc((size_t)width * bytes_per_pixel);
    if (writer->row == NULL) cpng_fail_with(png, CPNG_OUT_OF_MEMORY, "no memory for a row");
    return CPNG_OK;
}

cpng_status cpng_writer_set_profile(cpng_writer *writer, const void *profile, uint32_t length, bool *is_embedded) {
    if (writer->problem.status != CPNG_OK) return writer->problem.status;
    png_structp png = writer->png;
    if (setjmp(png_jmpbuf(png))) return writer->problem.status;
    // libpng's reader accepts some profiles with a warning, for example with another white point or known faults, but
    // its writer fails on them unless errors are benign. It then omits invalid profiles with a warning.
    png_set_benign_errors(png, 1);
    png_set_iCCP(png, writer->info, "ICC profile", PNG_COMPRESSION_TYPE_BASE, profile, length);
    *is_embedded = png_get_valid(png, writer->info, PNG_INFO_iCCP) != 0;
    if (!*is_embedded) {
        const char *reason = length > 0 ? writer->problem.warning : "the profile is empty";
        snprintf(writer->problem.message, sizeof writer->problem.message, "%s", reason);
    }
    return writer->problem.status;
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
    // libpng copies the block, although the parameter is not const.
    png_set_eXIf_1(writer->png, writer->info, length, (png_bytep)exif);
    return CPNG_OK;
}

cpng_status cpng_writer_write_header(cpng_writer *writer) {
    if (writer->problem.status != CPNG_OK) return writer->problem.status;
    if (setjmp(png_jmpbuf(writer->png))) return writer->problem.status;
    png_write_info(writer->png, writer->info);
    return CPNG_OK;
}

cpng_status cpng_writer_write_xmp(cpng_writer *writer, const void *packet, uint32_t length) {
    // The keyword is followed by zeros: no compression, no compression method, no language and no translated keyword.
    // Source: Adobe, XMP specification, part 3, section 1.1.5.
    static const char start[] = "XML:com.adobe.xmp\0\0\0\0";
    if (writer->problem.status != CPNG_OK) return writer->problem.status;
    png_structp png = writer->png;
    if (setjmp(png_jmpbuf(png))) return writer->problem.status;
    if (length > PNG_UINT_31_MAX - sizeof start) cpng_fail_with(png, CPNG_REFUSED, "the XMP packet is too long");
    png_write_chunk_start(png, (png_const_bytep) "iTXt", (png_uint_32)sizeof start + length);
    png_write_chunk_data(png, (png_const_bytep)start, sizeof start);
    png_write_chunk_data(png, packet, length);
    png_write_chunk_end(png);
    return CPNG_OK;
}

cpng_status cpng_writer_write_animation(cpng_writer *writer, uint32_t frame_count, uint32_t play_count) {
    if (writer->problem.status != CPNG_OK) return writer->problem.status;
    if (setjmp(png_jmpbuf(writer->png))) return writer->problem.status;
    uint8_t body[8];
    png_save_uint_32(body, frame_count);
    png_save_uint_32(body + 4, play_count);
    png_write_chunk(writer->png, (png_const_bytep) "acTL", body, sizeof body);
    return CPNG_OK;
}

/// Writes the fcTL chunk of a frame. Source: W3C PNG, third edition, section 11.3.6.2.
static void write_frame_control(cpng_writer *writer, const cpng_placement *placement) {
    uint8_t body[26];
    png_save_uint_32(body, writer->sequence++);
    png_save_uint_32(body + 4, placement->width);
    png_save_uint_32(body + 8, placement->height);
    png_save_uint_32(body + 12, placement->x);
    png_save_uint_32(body + 16, placement->y);
    png_save_uint_16(body + 20, placement->delay_numerator);
    png_save_uint_16(body + 22, placement->delay_denominator);
    // The frame is kept for the next one (0) and replaces the pixels below it (0).
    body[24] = 0;
    body[25] = 0;
    png_write_chunk(writer->png, (png_const_bytep) "fcTL", body, sizeof body);
}

cpng_status cpng_writer_begin_frame(cpng_writer *writer, cpng_placement placement) {
    if (writer->problem.status != CPNG_OK) return writer->problem.status;
    if (setjmp(png_jmpbuf(writer->png))) return writer->problem.status;
    write_frame_control(writer, &placement);
    if (!writer->has_frames) {
        // Decoders without support for animations show the first frame.
        writer->has_frames = true;
        return CPNG_OK;
    }
    png_destroy_write_struct(&writer->frame, &writer->frame_info);
    writer->is_in_frame = true;
    writer->width = placement.width;
    writer->height = placement.height;
    return CPNG_OK;
}

/// Creates libpng's writer for the rows of a frame that is not the first one.
static cpng_status create_frame(cpng_writer *writer) {
    if (setjmp(png_jmpbuf(writer->png))) return writer->problem.status;
    writer->frame = create_png(writer);
    if (writer->frame != NULL) writer->frame_info = png_create_info_struct(writer->frame);
    if (writer->frame_info == NULL) cpng_fail_with(writer->png, CPNG_OUT_OF_MEMORY, "no memory for a frame");
    if (setjmp(png_jmpbuf(writer->frame))) return writer->problem.status;
    describe(writer, writer->frame, writer->frame_info, write_frame_bytes, writer->width, writer->height);
    png_write_info(writer->frame, writer->frame_info);
    return CPNG_OK;
}

/// Packs a row into `target`, or into the memory for a converted row if that is NULL. Returns the packed row.
static const uint8_t *packed(cpng_writer *writer, png_structp png, const void *row, uint8_t *target) {
    const cpng_form *form = &writer->form;
    if (target == NULL) {
        if (writer->row == NULL) return row;
        target = writer->row;
    }
    if (form->colors == NULL) {
        cpng_pack(target, row, writer->width, form->source, form->channels);
    } else if (!cpng_colors_pack(form->colors, target, row, writer->width)) {
        cpng_fail_with(png, CPNG_REFUSED, "the pixels are not those that were there before");
    }
    return target;
}

cpng_status cpng_writer_write_row(cpng_writer *writer, const void *row) {
    if (writer->problem.status != CPNG_OK) return writer->problem.status;
    if (writer->is_in_frame && writer->frame == NULL) {
        cpng_status status = create_frame(writer);
        if (status != CPNG_OK) return status;
    }
    png_structp png = writer->is_in_frame ? writer->frame : writer->png;
    if (setjmp(png_jmpbuf(png))) return writer->problem.status;
    png_write_row(png, packed(writer, png, row, NULL));
    return CPNG_OK;
}

cpng_status cpng_writer_pack_row(cpng_writer *writer, const void *row, void *packed_row) {
    if (writer->problem.status != CPNG_OK) return writer->problem.status;
    if (setjmp(png_jmpbuf(writer->png))) return writer->problem.status;
    packed(writer, writer->png, row, packed_row);
    return CPNG_OK;
}

/// The maximum number of bytes of a chunk of compressed pixels. libpng warns about longer chunks of frames.
enum { MAX_PIXELS_LENGTH = 1 << 20 };

cpng_status cpng_writer_write_pixels(cpng_writer *writer, const void *stream, size_t count) {
    if (writer->problem.status != CPNG_OK) return writer->problem.status;
    png_structp png = writer->png;
    if (setjmp(png_jmpbuf(png))) return writer->problem.status;
    if (!writer->is_in_frame) writer->has_compressed_pixels = true;
    for (size_t place = 0; place < count; place += MAX_PIXELS_LENGTH) {
        png_const_bytep bytes = (png_const_bytep)stream + place;
        size_t length = count - place < MAX_PIXELS_LENGTH ? count - place : MAX_PIXELS_LENGTH;
        if (!writer->is_in_frame) {
            png_write_chunk(png, (png_const_bytep) "IDAT", bytes, length);
            continue;
        }
        uint8_t number[4];
        png_save_uint_32(number, writer->sequence++);
        png_write_chunk_start(png, (png_const_bytep) "fdAT", (png_uint_32)(sizeof number + length));
        png_write_chunk_data(png, number, sizeof number);
        png_write_chunk_data(png, bytes, length);
        png_write_chunk_end(png);
    }
    return CPNG_OK;
}

cpng_status cpng_writer_finish(cpng_writer *writer, void **bytes, size_t *count) {
    if (writer->problem.status != CPNG_OK) return writer->problem.status;
    if (setjmp(png_jmpbuf(writer->png))) return writer->problem.status;
    if (writer->has_compressed_pixels) {
        png_write_chunk(writer->png, (png_const_bytep) "IEND", NULL, 0);
    } else {
        // The info is omitted, because with it libpng would write the EXIF block again.
        png_write_end(writer->png, NULL);
    }
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
    png_destroy_write_struct(&writer->frame, &writer->frame_info);
    png_destroy_write_struct(&writer->png, &writer->info);
    free(writer->row);
    free(writer->bytes);
    free(writer);
}

#endif
