#include "CPNGShim.h"

#ifdef CALOTYPE_PNG

#include "problem.h"
#include "rows.h"
#include "stored.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/// A kind of chunk whose body is copied while libpng skips it.
typedef struct noted_kind {
    char name[5];
    /// The required length of the body.
    uint8_t length;
} noted_kind;

/// The indices of the kinds. The kinds with color information come first.
enum { cicp, srgb, gama, chrm, color_kind_count, actl = color_kind_count, fctl, kind_count };
enum { longest_body = 32, header_length = 8, checksum_length = 4 };

/// `usual_read` is the number of bytes of pixels that libpng reads at once. `longest_surplus` is the maximum number of
/// bytes that libpng may read after the last row. The surplus is limited because libpng inflates the stream of pixels
/// to its end, and the inflated stream can be a thousand times as long.
enum { usual_read = 8192, longest_surplus = 65536 };

static const noted_kind kinds[kind_count] = {
    [cicp] = {"cICP", 4},
    [srgb] = {"sRGB", 1},
    [gama] = {"gAMA", 4},
    [chrm] = {"cHRM", longest_body},
    [actl] = {"acTL", 8},
    [fctl] = {"fcTL", 26},
};

/// The copy of a chunk of one of the kinds in `kinds`.
typedef struct chunk_note {
    /// The body of the chunk, followed by its checksum.
    uint8_t bytes[longest_body + checksum_length];
    size_t count;
    bool is_good;
} chunk_note;

struct cpng_reader {
    png_structp png;
    png_infop info;
    cpng_read read;
    void *context;
    size_t count;
    /// The number of bytes that libpng has not read yet.
    size_t left;
    chunk_note notes[kind_count];
    /// The kind of the chunk that libpng is reading; `kind_count` if its body is not copied.
    int noted;
    bool has_palette;
    bool has_profile;
    /// The maximum length of an EXIF block in bytes.
    size_t exif_limit;
    bool is_exif_too_long;
    size_t small_chunk_count;
    /// Whether the chunk of pixels that libpng is reading extends beyond the end of the file.
    bool is_cut_off;
    /// The number of passes over all rows; 0 until `cpng_reader_start_rows` is called.
    int passes;
    /// The number of bytes that libpng has read after the last row.
    size_t surplus;
    cpng_problem problem;
};

/// Begins to copy the body of a chunk if the chunk contains color information or belongs to an animation.
///
/// libpng does not keep these chunks itself, for three reasons. Its rules for contradicting colors would drop valid
/// chunks. It may not know cICP and animations. Chunks that it keeps without parsing may have any length and may be
/// damaged.
static void begin_note(cpng_reader *reader, const uint8_t *name, size_t length) {
    reader->noted = kind_count;
    if (memcmp(name, "PLTE", 4) == 0) reader->has_palette = true;
    if (memcmp(name, "iCCP", 4) == 0) reader->has_profile = true;
    // Chunks with color information must precede the palette.
    for (int kind = reader->has_palette ? color_kind_count : 0; kind < kind_count; kind++) {
        if (memcmp(name, kinds[kind].name, 4) != 0 || length != kinds[kind].length) continue;
        if (reader->notes[kind].is_good) return;
        reader->notes[kind].count = 0;
        reader->noted = kind;
    }
}

/// Copies the next bytes of the chunk that libpng is reading.
static void note(cpng_reader *reader, const uint8_t *bytes, size_t count) {
    if (reader->noted == kind_count) return;
    const noted_kind *kind = &kinds[reader->noted];
    chunk_note *note = &reader->notes[reader->noted];
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

/// Returns the body of the copied chunk of a kind, or NULL if there is no undamaged copy.
static const uint8_t *body(const cpng_reader *reader, int kind) {
    return reader->notes[kind].is_good ? reader->notes[kind].bytes : NULL;
}

/// Limits libpng's next read of pixels to the bytes that exist. Otherwise libpng would request more bytes than a
/// truncated file has left, and the last bytes of the file would not be decoded.
static void read_to_the_end(cpng_reader *reader) {
    if (reader->is_cut_off && reader->left > 0 && reader->left < usual_read) {
        png_set_compression_buffer_size(reader->png, reader->left);
    }
}

/// Fails if libpng would read more than `longest_surplus` bytes after the last row.
static void limit_surplus(cpng_reader *reader, size_t count) {
    png_structp png = reader->png;
    if (reader->passes == 0) return;
    bool has_all_rows = reader->passes > 1 ? png_get_current_pass_number(png) >= reader->passes
                                           : png_get_current_row_number(png) >= png_get_image_height(png, reader->info);
    if (!has_all_rows) return;
    reader->surplus += count;
    if (reader->surplus > longest_surplus) cpng_fail_with(png, CPNG_REFUSED, "Too much image data");
}

/// Examines the header of a chunk before libpng does.
static void begin_chunk(cpng_reader *reader, const uint8_t *name, uint32_t length) {
    png_structp png = reader->png;
    // libpng allocates memory for a chunk before it reads it, so a chunk longer than the remaining bytes fails here.
    // Pixels are read in small pieces and used as far as they exist.
    bool is_too_long = length > reader->left && length <= PNG_UINT_31_MAX;
    reader->is_cut_off = is_too_long && memcmp(name, "IDAT", 4) == 0;
    if (is_too_long && !reader->is_cut_off) {
        cpng_fail_with(png, CPNG_ENDED, "a chunk is longer than the rest of the bytes");
    }
    if (length < CPNG_SMALL_CHUNK && ++reader->small_chunk_count > CPNG_MOST_SMALL_CHUNKS) {
        cpng_fail_with(png, CPNG_REFUSED, "Too many chunks");
    }
    // libpng looks up the handling of a chunk after reading its header. Its own limit is the same for all kinds.
    if (memcmp(name, "eXIf", 4) == 0 && length > reader->exif_limit) {
        reader->is_exif_too_long = true;
        png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, (png_const_bytep) "eXIf", 1);
    }
    begin_note(reader, name, length);
}

/// libpng's read function.
static void read_bytes(png_structp png, png_bytep target, size_t count) {
    cpng_reader *reader = png_get_io_ptr(png);
    limit_surplus(reader, count);
    if (count > reader->left || !reader->read(reader->context, target, count)) {
        cpng_fail_with(png, CPNG_ENDED, "the bytes end");
    }
    reader->left -= count;
    if ((png_get_io_state(png) & PNG_IO_MASK_LOC) != PNG_IO_CHUNK_HDR) {
        note(reader, target, count);
        read_to_the_end(reader);
        return;
    }
    begin_chunk(reader, target + 4, png_get_uint_32(target));
    read_to_the_end(reader);
}

cpng_reader *cpng_reader_create(cpng_read read, void *context, size_t count) {
    cpng_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return NULL;
    reader->read = read;
    reader->context = context;
    reader->count = count;
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

void cpng_reader_skip_checksums(cpng_reader *reader) {
    png_set_crc_action(reader->png, PNG_CRC_QUIET_USE, PNG_CRC_NO_CHANGE);
}

cpng_status cpng_reader_read_header(
    cpng_reader *reader, size_t profile_limit, size_t exif_limit, cpng_header *header) {
    if (reader->problem.status != CPNG_OK) return reader->problem.status;
    png_structp png = reader->png;
    png_infop info = reader->info;
    const bool wants_metadata = profile_limit > 0 || exif_limit > 0;
    if (setjmp(png_jmpbuf(png))) return reader->problem.status;
    png_set_read_fn(png, reader, read_bytes);
    // The sink decides about the size of a picture before the first row.
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    // Unused chunks are neither kept nor inflated, because text can inflate to any size.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    // Some builds of libpng read these chunks and fail if they contradict each other.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, (png_const_bytep) "acTL\0fcTL\0fdAT", 3);
    reader->exif_limit = exif_limit;
    if (wants_metadata) {
        png_set_chunk_malloc_max(png, profile_limit > exif_limit ? profile_limit : exif_limit);
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
    header->has_alpha = (color_type & PNG_COLOR_MASK_ALPHA) != 0 || cpng_has_transparency(png, info);
    png_charp name = NULL;
    int compression = 0;
    png_bytep bytes = NULL;
    png_uint_32 length = 0;
    if (png_get_iCCP(png, info, &name, &compression, &bytes, &length) != 0) {
        header->profile = bytes;
        header->profile_length = length;
    }
    header->is_profile_too_long = header->profile == NULL && reader->problem.is_profile_too_long;
    header->is_profile_damaged =
        reader->has_profile && wants_metadata && header->profile == NULL && !header->is_profile_too_long;
    header->color_chunks = (cpng_color_chunks){
        .cicp = body(reader, cicp), .srgb = body(reader, srgb), .gama = body(reader, gama), .chrm = body(reader, chrm)};
    header->animation_control = body(reader, actl);
    header->frame_control = body(reader, fctl);
    header->small_chunk_count = reader->small_chunk_count;
    // The last bytes read are the header of the first of these chunks.
    header->pixel_offset = reader->count - reader->left - header_length;
    if (png_get_eXIf_1(png, info, &length, &bytes) != 0) {
        header->exif = bytes;
        header->exif_length = length;
    }
    header->is_exif_too_long = reader->is_exif_too_long && wants_metadata && header->exif == NULL;
    // libpng continues without metadata after a failed allocation; the shim reports it.
    return reader->problem.status;
}

cpng_stored_form cpng_reader_stored_form(const cpng_reader *reader) {
    return cpng_get_stored_form(reader->png, reader->info);
}

cpng_status cpng_reader_start_rows(cpng_reader *reader, bool wants_16_bits, int *passes) {
    if (reader->problem.status != CPNG_OK) return reader->problem.status;
    if (setjmp(png_jmpbuf(reader->png))) return reader->problem.status;
    *passes = reader->passes = cpng_set_rows(reader->png, reader->info, wants_16_bits);
    return CPNG_OK;
}

cpng_status cpng_reader_read_row(cpng_reader *reader, void *row, bool fills_blocks) {
    if (reader->problem.status != CPNG_OK) return reader->problem.status;
    if (setjmp(png_jmpbuf(reader->png))) return reader->problem.status;
    png_read_row(reader->png, fills_blocks ? NULL : row, fills_blocks ? row : NULL);
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
