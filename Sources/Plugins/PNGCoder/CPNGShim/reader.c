#include "CPNGShim.h"

#ifdef CALOTYPE_PNG

#include "problem.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/// A kind of chunk that tells colours.
typedef struct color_kind {
    char name[5];
    /// How long its body has to be.
    uint8_t length;
} color_kind;

enum { cicp, srgb, gama, chrm, kind_count, longest_body = 32, checksum_length = 4 };

static const color_kind kinds[kind_count] = {
    [cicp] = {"cICP", 4}, [srgb] = {"sRGB", 1}, [gama] = {"gAMA", 4}, [chrm] = {"cHRM", longest_body}};

/// What is noted of such a chunk while libpng passes over it.
typedef struct color_note {
    /// The body and its checksum.
    uint8_t bytes[longest_body + checksum_length];
    size_t count;
    bool is_good;
} color_note;

struct cpng_reader {
    png_structp png;
    png_infop info;
    cpng_read read;
    void *context;
    /// How many bytes libpng has not read yet.
    size_t left;
    color_note notes[kind_count];
    /// The chunk that libpng is in, of these; `kind_count` in any other.
    int noted;
    bool has_palette;
    cpng_problem problem;
};

/// Begins to note a chunk if it is one that tells colours, of which libpng is told to keep none: its rules for those
/// that contradict each other would drop good ones, it may not know cICP, and what it keeps unread may be of any length
/// and be damaged.
static void begin_note(cpng_reader *reader, const uint8_t *name, size_t length) {
    reader->noted = kind_count;
    if (memcmp(name, "PLTE", 4) == 0) reader->has_palette = true;
    if (reader->has_palette) return;
    for (int kind = 0; kind < kind_count; kind++) {
        if (memcmp(name, kinds[kind].name, 4) != 0 || length != kinds[kind].length) continue;
        if (reader->notes[kind].is_good) return;
        reader->notes[kind].count = 0;
        reader->noted = kind;
    }
}

/// Notes the next bytes of the chunk that libpng is in.
static void note(cpng_reader *reader, const uint8_t *bytes, size_t count) {
    if (reader->noted == kind_count) return;
    const color_kind *kind = &kinds[reader->noted];
    color_note *note = &reader->notes[reader->noted];
    size_t length = kind->length;
    size_t room = length + checksum_length - note->count;
    if (count > room) count = room;
    memcpy(note->bytes + note->count, bytes, count);
    note->count += count;
    if (count < room) return;
    uLong checksum = crc32(crc32(0, (const Bytef *)kind->name, 4), note->bytes, (uInt)length);
    note->is_good = checksum == png_get_uint_32(note->bytes + length);
    reader->noted = kind_count;
}

/// The body of a chunk that was noted; NULL without one.
static const uint8_t *body(const cpng_reader *reader, int kind) {
    return reader->notes[kind].is_good ? reader->notes[kind].bytes : NULL;
}

/// libpng's read function.
static void read_bytes(png_structp png, png_bytep target, size_t count) {
    cpng_reader *reader = png_get_io_ptr(png);
    if (count > reader->left || !reader->read(reader->context, target, count)) {
        cpng_fail_with(png, CPNG_ENDED, "the bytes end");
    }
    reader->left -= count;
    if ((png_get_io_state(png) & PNG_IO_MASK_LOC) != PNG_IO_CHUNK_HDR) {
        note(reader, target, count);
        return;
    }
    // libpng takes memory for a chunk before it reads it: one that claims more than there is ends here. Pixels are read
    // in small pieces, and are wanted as far as they go.
    uint32_t length = png_get_uint_32(target);
    if (memcmp(target + 4, "IDAT", 4) != 0 && length > reader->left && length <= PNG_UINT_31_MAX) {
        cpng_fail_with(png, CPNG_ENDED, "a chunk is longer than the rest of the bytes");
    }
    begin_note(reader, target + 4, length);
}

cpng_reader *cpng_reader_create(cpng_read read, void *context, size_t count) {
    cpng_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return NULL;
    reader->read = read;
    reader->context = context;
    reader->left = count;
    reader->noted = kind_count;
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
    header->is_interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
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
    header->color_chunks = (cpng_color_chunks){
        .cicp = body(reader, cicp), .srgb = body(reader, srgb), .gama = body(reader, gama), .chrm = body(reader, chrm)};
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
