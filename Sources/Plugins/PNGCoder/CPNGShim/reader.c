#include "CPNGShim.h"

#ifdef CALOTYPE_PNG

#include "problem.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct cpng_reader {
    png_structp png;
    png_infop info;
    const uint8_t *next;
    size_t left;
    cpng_color_chunks color_chunks;
    bool has_palette;
    cpng_problem problem;
};

/// Keeps where a chunk's body is, if it is the chunk that is wanted. `name` stands right before the body.
static void note(
    const cpng_reader *reader, const uint8_t *name, size_t length, const char *wanted, size_t wanted_length,
    const uint8_t **body) {
    if (memcmp(name, wanted, 4) != 0 || length != wanted_length || *body != NULL) return;
    const uint8_t *start = reader->next;
    if (reader->left < length + 4) return;
    if (crc32(crc32(0, name, 4), start, (uInt)length) == png_get_uint_32(start + length)) *body = start;
}

/// Notes the chunks that tell colours, of which libpng is told to keep none: its rules for those that contradict each
/// other would drop good ones, it may not know cICP, and what it keeps unread may be of any length and be damaged.
static void note_color_chunk(cpng_reader *reader, const uint8_t *name, size_t length) {
    if (memcmp(name, "PLTE", 4) == 0) reader->has_palette = true;
    if (reader->has_palette) return;
    note(reader, name, length, "cICP", 4, &reader->color_chunks.cicp);
    note(reader, name, length, "sRGB", 1, &reader->color_chunks.srgb);
    note(reader, name, length, "gAMA", 4, &reader->color_chunks.gama);
    note(reader, name, length, "cHRM", 32, &reader->color_chunks.chrm);
}

/// libpng's read function.
static void read_bytes(png_structp png, png_bytep target, size_t count) {
    cpng_reader *reader = png_get_io_ptr(png);
    if (count > reader->left) cpng_fail_with(png, CPNG_ENDED, "the bytes end");
    memcpy(target, reader->next, count);
    reader->next += count;
    reader->left -= count;
    if ((png_get_io_state(png) & PNG_IO_MASK_LOC) != PNG_IO_CHUNK_HDR) return;
    // libpng takes memory for a chunk before it reads it: one that claims more than there is ends here. Pixels are read
    // in small pieces, and are wanted as far as they go.
    uint32_t length = png_get_uint_32(target);
    if (memcmp(target + 4, "IDAT", 4) != 0 && length > reader->left && length <= PNG_UINT_31_MAX) {
        cpng_fail_with(png, CPNG_ENDED, "a chunk is longer than the rest of the bytes");
    }
    note_color_chunk(reader, target + 4, length);
}

cpng_reader *cpng_reader_create(const void *bytes, size_t count) {
    cpng_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return NULL;
    reader->next = bytes;
    reader->left = count;
    reader->png = png_create_read_struct_2(
        PNG_LIBPNG_VER_STRING, &reader->problem, cpng_fail, cpng_warn, &reader->problem, cpng_allocate, cpng_release);
    if (reader->png != NULL) reader->info = png_create_info_struct(reader->png);
    if (reader->info == NULL) {
        cpng_reader_free(reader);
        return NULL;
    }
    return reader;
}

cpng_status cpng_reader_read_header(cpng_reader *reader, size_t metadata_limit, cpng_header *header) {
    if (reader->problem.status != CPNG_OK) return reader->problem.status;
    png_structp png = reader->png;
    png_infop info = reader->info;
    if (setjmp(png_jmpbuf(png))) return reader->problem.status;
    png_set_read_fn(png, reader, read_bytes);
    // How large a picture may be is for the sink to say, before the first row.
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    // Nothing is kept or inflated but what is used: text could inflate to anything.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    if (metadata_limit > 0) {
        png_set_chunk_malloc_max(png, metadata_limit);
        png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, (png_const_bytep) "eXIf\0iCCP", 2);
    }
    png_read_info(png, info);

    memset(header, 0, sizeof *header);
    header->width = png_get_image_width(png, info);
    header->height = png_get_image_height(png, info);
    header->bit_depth = png_get_bit_depth(png, info);
    int color_type = png_get_color_type(png, info);
    header->is_palette = color_type == PNG_COLOR_TYPE_PALETTE;
    header->is_gray = (color_type & PNG_COLOR_MASK_COLOR) == 0;
    header->has_alpha = (color_type & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(png, info, PNG_INFO_tRNS) != 0;
    header->is_profile_too_long = reader->problem.is_profile_too_long;
    png_charp name = NULL;
    int compression = 0;
    png_bytep bytes = NULL;
    png_uint_32 length = 0;
    if (png_get_iCCP(png, info, &name, &compression, &bytes, &length) != 0) {
        header->profile = bytes;
        header->profile_length = length;
    }
    header->color_chunks = reader->color_chunks;
    if (png_get_eXIf_1(png, info, &length, &bytes) != 0) {
        header->exif = bytes;
        header->exif_length = length;
    }
    // libpng goes on without metadata that it had no memory for; we do not.
    return reader->problem.status;
}

cpng_status cpng_reader_start_rows(cpng_reader *reader, bool wants_16_bits, int *passes) {
    if (reader->problem.status != CPNG_OK) return reader->problem.status;
    png_structp png = reader->png;
    png_infop info = reader->info;
    if (setjmp(png_jmpbuf(png))) return reader->problem.status;
    // Palettes become colours, fewer bits become 8, and tRNS becomes alpha. An index beyond the palette becomes opaque
    // black, as section 13.2 of the PNG specification, third edition, requires.
    png_set_expand(png);
    png_set_gray_to_rgb(png);
    bool has_16_bits = png_get_bit_depth(png, info) == 16;
    if (has_16_bits && !wants_16_bits) png_set_scale_16(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (has_16_bits && wants_16_bits) png_set_swap(png);
#endif
    bool has_alpha = (png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA) != 0;
    if (!has_alpha && png_get_valid(png, info, PNG_INFO_tRNS) == 0) png_set_filler(png, 0xFFFF, PNG_FILLER_AFTER);
    *passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    size_t bytes_per_pixel = has_16_bits && wants_16_bits ? 8 : 4;
    if (png_get_rowbytes(png, info) != bytes_per_pixel * png_get_image_width(png, info)) {
        cpng_fail_with(png, CPNG_REFUSED, "rows would be of another length than four channels have");
    }
    return CPNG_OK;
}

cpng_status cpng_reader_read_row(cpng_reader *reader, void *row) {
    if (reader->problem.status != CPNG_OK) return reader->problem.status;
    if (setjmp(png_jmpbuf(reader->png))) return reader->problem.status;
    png_read_row(reader->png, row, NULL);
    return CPNG_OK;
}

const char *cpng_reader_message(const cpng_reader *reader) {
    return reader->problem.message;
}

void cpng_reader_free(cpng_reader *reader) {
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

#endif
