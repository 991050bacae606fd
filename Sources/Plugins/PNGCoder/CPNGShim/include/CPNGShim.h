/// libpng with functions that return instead of jumping.
///
/// libpng reports errors by longjmp, which must not cross Swift's frames. Each function here catches its errors and
/// returns a status instead. Use a reader or writer on one thread at a time. After a function of a reader or writer has
/// failed, all later ones fail in the same way.
#ifndef CPNG_SHIM_H
#define CPNG_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The maximum number of chunks of less than `CPNG_SMALL_CHUNK` bytes in the bytes that are read at once. More small
/// chunks would only cause work. Larger chunks are limited by the number of bytes.
enum { CPNG_MOST_SMALL_CHUNKS = 100000, CPNG_SMALL_CHUNK = 1024 };

/// The result of a function.
typedef enum cpng_status {
    CPNG_OK = 0,
    /// libpng failed; the message contains the reason.
    CPNG_REFUSED,
    /// The bytes ended too early.
    CPNG_ENDED,
    CPNG_OUT_OF_MEMORY,
    /// The result would be longer than the limit.
    CPNG_TOO_LONG,
} cpng_status;

/// libpng's reader.
typedef struct cpng_reader cpng_reader;

/// Copies the next `count` bytes to `target`. Returns false if that is not possible, which counts as the end of the
/// bytes; the function is not called again. It must return normally, because libpng is on the stack above it.
typedef bool (*cpng_read)(void *context, void *target, size_t count);

/// The bodies of the chunks with color information; NULL if missing. They belong to the reader.
///
/// The first chunk of each kind counts. A chunk that is damaged, has another length or follows the palette is ignored.
typedef struct cpng_color_chunks {
    /// 4 bytes.
    const uint8_t *cicp;
    /// 1 byte.
    const uint8_t *srgb;
    /// 4 bytes.
    const uint8_t *gama;
    /// 32 bytes.
    const uint8_t *chrm;
} cpng_color_chunks;

/// The data before the pixels.
typedef struct cpng_header {
    uint32_t width;
    uint32_t height;
    /// The number of bits of a channel or of a palette index.
    uint8_t bit_depth;
    bool is_palette;
    bool is_gray;
    bool is_interlaced;
    /// Whether there is an alpha channel or a tRNS chunk.
    bool has_alpha;
    /// Whether a profile was dropped because it exceeds the limit.
    bool is_profile_too_long;
    /// Whether a profile was dropped because it is damaged.
    bool is_profile_damaged;
    /// The inflated profile; NULL for none. The profile and the block below belong to the reader.
    const uint8_t *profile;
    size_t profile_length;
    /// Other color information.
    cpng_color_chunks color_chunks;
    /// The EXIF block, beginning with its byte order mark; NULL for none.
    const uint8_t *exif;
    size_t exif_length;
    /// Whether an EXIF block was dropped because it exceeds the limit.
    bool is_exif_too_long;
    /// The bodies of the acTL chunk (8 bytes) and of the fcTL chunk (26 bytes) before the pixels; NULL if missing. The
    /// first undamaged chunk of each kind counts. They belong to the reader.
    const uint8_t *animation_control;
    const uint8_t *frame_control;
    /// The offset of the first chunk of pixels.
    size_t pixel_offset;
} cpng_header;

/// Creates a reader of `count` bytes, which `read` provides in order when it is called with `context`. Returns NULL if
/// there is no memory.
cpng_reader *cpng_reader_create(cpng_read read, void *context, size_t count);

/// Accepts any checksums of critical chunks, for callers that check the bytes themselves. Call this first, if at all.
void cpng_reader_skip_checksums(cpng_reader *reader);

/// Reads all chunks before the pixels. Fails if there are too many.
///
/// `profile_limit`, `exif_limit`: an EXIF block longer than its limit is dropped before memory is allocated. A profile
/// longer than both limits is dropped too. If both limits are 0, both are skipped.
/// is a profile that would be longer than both. 0 for both skips them.
cpng_status cpng_reader_read_header(
    cpng_reader *reader, size_t profile_limit, size_t exif_limit, cpng_header *header);

/// Sets the format of rows to RGBA with straight alpha, with 16 bits in native byte order or with 8 bits. Files with at
/// most 8 bits only support 8. Allocates memory for two rows. `passes`: the number of times that all rows must be read.
cpng_status cpng_reader_start_rows(cpng_reader *reader, bool wants_16_bits, int *passes);

/// Reads the next row.
///
/// `row` has room for four channels for each pixel. In later passes it must be the same memory as before, because a
/// pass only writes its own pixels. With `fills_blocks`, each pixel also fills the neighboring pixels of later passes,
/// which avoids gaps in previews; the final result is the same.
cpng_status cpng_reader_read_row(cpng_reader *reader, void *row, bool fills_blocks);

/// Returns libpng's error message, which is empty without an error. It belongs to the reader.
const char *cpng_reader_message(const cpng_reader *reader);

void cpng_reader_free(cpng_reader *reader);

/// libpng's progressive reader, for bytes that arrive in pieces. It writes received rows to memory of the caller.
typedef struct cpng_pusher cpng_pusher;

/// The progress of a picture.
typedef struct cpng_progress {
    /// The current pass; 7 for a complete interlaced picture.
    int pass;
    /// The number of rows of this pass that have arrived.
    uint32_t row_count;
    /// Whether all pixels have arrived.
    bool is_complete;
} cpng_progress;

/// Creates a reader. Returns NULL if there is no memory.
///
/// `rows` has room for all rows with four channels for each pixel, of 16 or 8 bits as for `cpng_reader_start_rows`. In
/// an interlaced picture each pixel fills the block of pixels that later passes refine.
cpng_pusher *cpng_pusher_create(void *rows, uint32_t width, uint32_t height, bool wants_16_bits);

/// Returns the number of next bytes, at least 1, that yield at most `pixel_count` pixels, whatever their contents. A
/// pixel of an early pass counts as often as it is written.
///
/// Callers use this to pause in between: libpng decodes all bytes that it receives, a byte can stand for a thousand
/// pixels, and after a pause within the bytes libpng would read beyond their end.
size_t cpng_pusher_reach(const cpng_pusher *pusher, size_t pixel_count);

/// Reads the next bytes.
cpng_status cpng_pusher_push(cpng_pusher *pusher, const void *bytes, size_t count);

cpng_progress cpng_pusher_progress(const cpng_pusher *pusher);

/// Returns libpng's error message, which is empty without an error. It belongs to the pusher.
const char *cpng_pusher_message(const cpng_pusher *pusher);

void cpng_pusher_free(cpng_pusher *pusher);

/// Inflates a zlib stream, even if its end is missing. Release `result` with free().
///
/// Fails with `CPNG_TOO_LONG` before it allocates memory for more than `limit` bytes. `result_count` is the number of
/// inflated bytes even after a failure, because they took time.
cpng_status cpng_inflate(const void *bytes, size_t count, size_t limit, void **result, size_t *result_count);

/// libpng's writer, which writes to memory.
typedef struct cpng_writer cpng_writer;

/// The format of the rows for a writer: four channels in native byte order.
typedef enum cpng_source {
    CPNG_RGBA8,
    CPNG_RGBA16,
    /// Values from 0 to 1, which are clamped and written with 16 bits.
    CPNG_RGBA_FLOAT,
} cpng_source;

/// Finds the range in which two rows of `count` bytes differ: from the first different byte to the end of the last one.
/// Returns false if the rows are equal.
bool cpng_find_change(const void *before, const void *after, size_t count, size_t *first, size_t *end);

/// The colors, including alpha, of `CPNG_RGBA8` pictures with few colors, and their codes of 1, 2, 4 or 8 bits.
typedef struct cpng_colors cpng_colors;

/// Creates an empty list. Returns NULL if there is no memory.
cpng_colors *cpng_colors_create(void);

/// Adds the colors of a row. Returns false if there would be more than `limit` or 256; some are missing then.
bool cpng_colors_add(cpng_colors *colors, const void *row, size_t width, size_t limit);

size_t cpng_colors_count(const cpng_colors *colors);

/// Returns the number of colors that are not opaque.
size_t cpng_colors_transparent_count(const cpng_colors *colors);

/// Returns the number of bits for the levels of colors that are all gray and opaque. PNG's levels are evenly spaced.
int cpng_colors_gray_depth(const cpng_colors *colors);

/// Returns the number of bits for a palette index.
int cpng_colors_palette_depth(const cpng_colors *colors);

/// Sets the codes to gray levels. All colors must be gray and opaque.
void cpng_colors_make_grays(cpng_colors *colors);

/// Sets the codes to indices into a palette that begins with the colors that are not opaque.
void cpng_colors_make_palette(cpng_colors *colors);

void cpng_colors_free(cpng_colors *colors);

/// The form in which a picture is written.
typedef struct cpng_form {
    cpng_source source;
    /// The number of channels: 1 for gray, 2 for gray and alpha, 3 for color, 4 for color and alpha. Gray is taken from
    /// red.
    int channels;
    /// The codes to write instead of channels; NULL to write channels. The list contains all colors of the picture and
    /// must outlive the writer.
    const cpng_colors *colors;
    /// The compression level of zlib, 0...9.
    int level;
} cpng_form;

/// The position of a frame in the picture and its duration in seconds.
typedef struct cpng_placement {
    uint32_t x;
    uint32_t y;
    uint32_t width;
    uint32_t height;
    uint16_t delay_numerator;
    uint16_t delay_denominator;
} cpng_placement;

/// Creates a writer. Returns NULL if there is no memory.
cpng_writer *cpng_writer_create(void);

/// Sets the size and the form of the picture. Call this first.
cpng_status cpng_writer_set_picture(cpng_writer *writer, uint32_t width, uint32_t height, cpng_form form);

/// Embeds an ICC profile. Call this after all other settings, because it makes libpng tolerate errors.
///
/// `is_embedded`: whether the profile was embedded. Otherwise it is damaged or has a color space other than the
/// picture's, and the message tells which.
cpng_status cpng_writer_set_profile(cpng_writer *writer, const void *profile, uint32_t length, bool *is_embedded);

/// Marks the colors as sRGB.
cpng_status cpng_writer_set_srgb(cpng_writer *writer);

/// Embeds an EXIF block.
cpng_status cpng_writer_set_exif(cpng_writer *writer, const void *exif, uint32_t length);

/// Writes all data before the pixels.
cpng_status cpng_writer_write_header(cpng_writer *writer);

/// Embeds an XMP packet.
cpng_status cpng_writer_write_xmp(cpng_writer *writer, const void *packet, uint32_t length);

/// Makes the file an animation. Each frame must then be begun before its rows.
cpng_status cpng_writer_write_animation(cpng_writer *writer, uint32_t frame_count, uint32_t play_count);

/// Begins the next frame, whose rows replace the pixels at its position. The first frame must cover the whole picture.
cpng_status cpng_writer_begin_frame(cpng_writer *writer, cpng_placement placement);

/// Writes the next row.
cpng_status cpng_writer_write_row(cpng_writer *writer, const void *row);

/// Ends the file and returns its bytes. Release `bytes` with free().
cpng_status cpng_writer_finish(cpng_writer *writer, void **bytes, size_t *count);

/// Returns libpng's error message, or the reason why a profile was not embedded; empty otherwise. It belongs to the
/// writer.
const char *cpng_writer_message(const cpng_writer *writer);

void cpng_writer_free(cpng_writer *writer);

#endif
