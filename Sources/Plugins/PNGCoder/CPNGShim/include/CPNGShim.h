/// libpng with functions that return instead of jumping.
///
/// libpng reports errors by longjmp, which must not cross Swift's frames. Each function here catches its errors and
/// returns a status instead. Use a reader or writer on one thread at a time. After a call with a reader or writer has
/// failed, all later calls with the same reader or writer fail in the same way.
#ifndef CPNG_SHIM_H
#define CPNG_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// `CPNG_MOST_SMALL_CHUNKS` is the maximum number of chunks shorter than `CPNG_SMALL_CHUNK` bytes that a reader
/// accepts. No picture needs more of them, and each takes time. Longer chunks are limited by the number of bytes in the
/// file.
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

/// A function that copies the next `count` bytes to `target`.
///
/// Returns false if that is not possible, which counts as the end of the bytes; the reader then does not call the
/// function again. The function must return normally, not by longjmp or an exception, because functions of libpng have
/// called it.
typedef bool (*cpng_read)(void *context, void *target, size_t count);

/// The bodies of the chunks with color information. A missing chunk is NULL. The memory belongs to the reader.
///
/// Only the first valid chunk of each kind counts. A chunk that is damaged, has the wrong length or follows the palette
/// is ignored.
typedef struct cpng_color_chunks {
    /// The color space as code points (cICP), 4 bytes.
    const uint8_t *cicp;
    /// The rendering intent of an sRGB picture (sRGB), 1 byte.
    const uint8_t *srgb;
    /// The gamma (gAMA), 4 bytes.
    const uint8_t *gama;
    /// The white point and the primaries (cHRM), 32 bytes.
    const uint8_t *chrm;
} cpng_color_chunks;

/// The properties that a reader finds in the chunks before the pixels.
typedef struct cpng_header {
    uint32_t width;
    uint32_t height;
    /// The number of bits of a channel or of a palette index.
    uint8_t bit_depth;
    bool is_palette;
    bool is_gray;
    bool is_interlaced;
    /// Whether there is an alpha channel or a valid tRNS chunk.
    bool has_alpha;
    /// Whether a profile was dropped because it exceeds the limit.
    bool is_profile_too_long;
    /// Whether a profile was dropped because it is damaged.
    bool is_profile_damaged;
    /// The inflated ICC profile; NULL if there is none. The memory belongs to the reader.
    const uint8_t *profile;
    /// The length of `profile` in bytes.
    size_t profile_length;
    /// The chunks with color information other than the profile.
    cpng_color_chunks color_chunks;
    /// The EXIF block, beginning with its byte order mark; NULL if there is none. The memory belongs to the reader.
    const uint8_t *exif;
    /// The length of `exif` in bytes.
    size_t exif_length;
    /// Whether an EXIF block was dropped because it exceeds the limit.
    bool is_exif_too_long;
    /// The body of the first undamaged acTL chunk before the pixels, 8 bytes; NULL if there is none. The memory belongs
    /// to the reader.
    const uint8_t *animation_control;
    /// The body of the first undamaged fcTL chunk before the pixels, 26 bytes; NULL if there is none. The memory
    /// belongs to the reader.
    const uint8_t *frame_control;
    /// The number of chunks shorter than `CPNG_SMALL_CHUNK`, up to the first chunk of pixels.
    size_t small_chunk_count;
    /// The offset in the file of the first chunk of pixels, in bytes.
    size_t pixel_offset;
} cpng_header;

/// Creates a reader for a file of `count` bytes. Returns NULL if there is no memory.
///
/// The reader calls `read` with `context` to get the bytes, from the first to the last.
cpng_reader *cpng_reader_create(cpng_read read, void *context, size_t count);

/// Makes the reader accept wrong checksums of critical chunks, for callers that check the bytes themselves. If needed,
/// call this before all other functions of the reader.
void cpng_reader_skip_checksums(cpng_reader *reader);

/// Reads all chunks before the pixels. Fails if there are too many chunks.
///
/// `profile_limit`, `exif_limit`: the maximum lengths in bytes. An EXIF block longer than `exif_limit` is dropped
/// before memory is allocated for it. A profile longer than the larger of the two limits is dropped too. If both limits
/// are 0, the profile and the EXIF block are skipped.
cpng_status cpng_reader_read_header(
    cpng_reader *reader, size_t profile_limit, size_t exif_limit, cpng_header *header);

/// The form in which a file stores its pixels, before libpng expands them.
typedef struct cpng_stored_form {
    /// The number of bits of a sample or of a palette index.
    uint8_t bit_depth;
    /// The number of channels: 1 for gray or palette indices, 2 for gray and alpha, 3 for color, 4 for color and alpha.
    uint8_t channels;
    /// Whether one color is transparent (tRNS), in a picture without an alpha channel or palette.
    bool has_key;
    /// The samples of the transparent color, limited to `bit_depth` bits.
    uint16_t key[3];
    /// The four bytes of the color of each sample, for pictures with one channel of at most 8 bits. A palette index
    /// without a color is opaque black.
    uint32_t colors[256];
} cpng_stored_form;

/// Returns the form in which the file stores its pixels. Call this after the header was read.
cpng_stored_form cpng_reader_stored_form(const cpng_reader *reader);

/// Expands a row, in the form in which the file stores it and without its filter, to `width` pixels of RGBA with
/// straight alpha. A channel has 16 bits in native byte order if `wants_16_bits` is true, which requires a file with 16
/// bits per channel, and otherwise 8 bits.
void cpng_expand_row(const cpng_stored_form *form, const void *row, size_t width, bool wants_16_bits, void *pixels);

/// Sets the format of rows to RGBA with straight alpha, and allocates memory for two rows. A channel has 16 bits in
/// native byte order if `wants_16_bits` is true and the file has 16 bits per channel, and otherwise 8 bits.
///
/// `passes`: is set to the number of times that all rows must be read.
cpng_status cpng_reader_start_rows(cpng_reader *reader, bool wants_16_bits, int *passes);

/// Reads the next row into `row`, which has room for four channels per pixel.
///
/// In an interlaced picture, `row` must contain what earlier passes have read for the same row, because each pass only
/// writes its own pixels. With `fills_blocks`, each pixel also fills its neighbors that later passes will write, so
/// that a preview has no gaps; the final result is the same.
cpng_status cpng_reader_read_row(cpng_reader *reader, void *row, bool fills_blocks);

/// Returns libpng's error message, or an empty string if there was no error. The memory belongs to the reader.
const char *cpng_reader_message(const cpng_reader *reader);

void cpng_reader_free(cpng_reader *reader);

/// libpng's progressive reader, for bytes that arrive in pieces. It writes the rows that have arrived to memory of the
/// caller.
typedef struct cpng_pusher cpng_pusher;

/// A description of the part of a picture that has arrived.
typedef struct cpng_progress {
    /// The number of the current pass, from 0. It is 7 when an interlaced picture is complete.
    int pass;
    /// The number of rows of the current pass that have arrived.
    uint32_t row_count;
    /// Whether all pixels have arrived.
    bool is_complete;
} cpng_progress;

/// Creates a progressive reader. Returns NULL if there is no memory.
///
/// `rows` has room for all rows, with four channels per pixel. The number of bits of a channel is that of
/// `cpng_reader_start_rows`. In an interlaced picture, each pixel fills the block of pixels that later passes refine.
cpng_pusher *cpng_pusher_create(void *rows, uint32_t width, uint32_t height, bool wants_16_bits);

/// Returns how many of the next bytes can be pushed without writing more than `pixel_count` pixels, whatever the bytes
/// contain. The result is at least 1. A decoded pixel that fills a block counts as all pixels of the block.
///
/// Callers push pieces of this length so that they can pause between them: libpng decodes all bytes that it receives, a
/// byte can stand for a thousand pixels, and libpng must not be paused within the bytes of a call, because it would
/// then read beyond their end.
size_t cpng_pusher_reach(const cpng_pusher *pusher, size_t pixel_count);

/// Decodes the next `count` bytes of the file.
cpng_status cpng_pusher_push(cpng_pusher *pusher, const void *bytes, size_t count);

/// Returns which part of the picture has arrived.
cpng_progress cpng_pusher_progress(const cpng_pusher *pusher);

/// Returns libpng's error message, or an empty string if there was no error. The memory belongs to the pusher.
const char *cpng_pusher_message(const cpng_pusher *pusher);

void cpng_pusher_free(cpng_pusher *pusher);

/// Inflates a zlib stream of `count` bytes. Release `result` with free().
///
/// Fails with `CPNG_TOO_LONG` if the result would exceed `limit` bytes; at most one byte more is allocated. Fails with
/// `CPNG_REFUSED` if the stream is damaged or its end is missing. `result_count` is the number of inflated bytes, also
/// after a failure, so that the caller can count the work.
cpng_status cpng_inflate(const void *bytes, size_t count, size_t limit, void **result, size_t *result_count);

/// libpng's writer, which writes to memory.
typedef struct cpng_writer cpng_writer;

/// The format of the rows that a writer receives: red, green, blue and straight alpha in native byte order.
typedef enum cpng_source {
    /// 8 bits per channel.
    CPNG_RGBA8,
    /// 16 bits per channel.
    CPNG_RGBA16,
    /// 32-bit floating point numbers from 0 to 1. Other values are clamped. The file has 16 bits per channel.
    CPNG_RGBA_FLOAT,
} cpng_source;

/// Finds the smallest range of bytes in which two rows of `count` bytes differ. Returns false if the rows are equal.
///
/// `first`: the offset of the first byte that differs. `end`: the offset after the last byte that differs.
bool cpng_find_change(const void *before, const void *after, size_t count, size_t *first, size_t *end);

/// A list of the colors, including alpha, of `CPNG_RGBA8` pictures with few colors. Each color has a code of 1, 2, 4 or
/// 8 bits, which is written instead of the color.
typedef struct cpng_colors cpng_colors;

/// Creates an empty list of colors. Returns NULL if there is no memory.
cpng_colors *cpng_colors_create(void);

/// Adds the colors of a row of `width` pixels. Returns false if the list would have more than `limit` colors, or more
/// than 256; the list is then incomplete.
bool cpng_colors_add(cpng_colors *colors, const void *row, size_t width, size_t limit);

/// Returns the number of colors in the list.
size_t cpng_colors_count(const cpng_colors *colors);

/// Returns the number of colors that are not opaque.
size_t cpng_colors_transparent_count(const cpng_colors *colors);

/// Returns the fewest bits per pixel, 1, 2, 4 or 8, that can represent all colors of the list as gray levels of PNG,
/// which are evenly spaced. All colors must be gray and opaque.
int cpng_colors_gray_depth(const cpng_colors *colors);

/// Returns the number of bits of an index into a palette of all colors: 1, 2, 4 or 8.
int cpng_colors_palette_depth(const cpng_colors *colors);

/// Sets the codes of the colors to gray levels. All colors must be gray and opaque.
void cpng_colors_make_grays(cpng_colors *colors);

/// Sets the codes of the colors to indices into a palette. The palette begins with the colors that are not opaque.
void cpng_colors_make_palette(cpng_colors *colors);

void cpng_colors_free(cpng_colors *colors);

/// The form in which a picture is written.
typedef struct cpng_form {
    /// The format of the rows that the writer receives.
    cpng_source source;
    /// The number of channels: 1 for gray, 2 for gray and alpha, 3 for color, 4 for color and alpha. Gray is taken from
    /// red.
    int channels;
    /// The list of colors whose codes are written instead of channels; NULL to write channels. The list contains all
    /// colors of the picture and must outlive the writer.
    const cpng_colors *colors;
    /// The compression level of zlib, 0 (none) to 9 (smallest and slowest).
    int level;
    /// Whether libpng filters all rows of channels by their difference to the row above. Otherwise it chooses a filter
    /// for each row.
    bool filters_up;
} cpng_form;

/// The region of a frame in the picture, in pixels, and the duration of the frame as a fraction of a second.
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

/// Sets the size and the form of the picture. Call this before all other functions of the writer.
cpng_status cpng_writer_set_picture(cpng_writer *writer, uint32_t width, uint32_t height, cpng_form form);

/// Embeds an ICC profile of `length` bytes. Call this after all other settings, because it makes libpng tolerate
/// errors.
///
/// `is_embedded`: is set to whether the profile was embedded. If not, the profile is damaged or has a color space other
/// than the picture's, and `cpng_writer_message` contains the reason.
cpng_status cpng_writer_set_profile(cpng_writer *writer, const void *profile, uint32_t length, bool *is_embedded);

/// Marks the colors of the picture as sRGB.
cpng_status cpng_writer_set_srgb(cpng_writer *writer);

/// Embeds an EXIF block.
cpng_status cpng_writer_set_exif(cpng_writer *writer, const void *exif, uint32_t length);

/// Writes all chunks that were set before the pixels.
cpng_status cpng_writer_write_header(cpng_writer *writer);

/// Embeds an XMP packet of `length` bytes. Call this after the header was written.
cpng_status cpng_writer_write_xmp(cpng_writer *writer, const void *packet, uint32_t length);

/// Makes the file an animation. Call this after the header was written. Call `cpng_writer_begin_frame` before the rows
/// of each frame.
///
/// `play_count`: the number of times that the animation plays; 0 means forever.
cpng_status cpng_writer_write_animation(cpng_writer *writer, uint32_t frame_count, uint32_t play_count);

/// Begins the next frame of an animation. The rows of the frame replace the pixels in its region. The first frame must
/// cover the whole picture.
cpng_status cpng_writer_begin_frame(cpng_writer *writer, cpng_placement placement);

/// Writes the next row of the picture or of the current frame.
cpng_status cpng_writer_write_row(cpng_writer *writer, const void *row);

/// Converts a row to the form in which the file stores it, without a filter. `packed_row` has memory for such a row.
cpng_status cpng_writer_pack_row(cpng_writer *writer, const void *row, void *packed_row);

/// Writes the pixels of the picture or of the current frame as a zlib stream of `count` bytes. Do not write rows for the
/// same picture or frame.
cpng_status cpng_writer_write_pixels(cpng_writer *writer, const void *stream, size_t count);

/// Ends the file and returns its bytes. Release `bytes` with free().
cpng_status cpng_writer_finish(cpng_writer *writer, void **bytes, size_t *count);

/// Returns libpng's error message, or the reason why a profile was not embedded. Returns an empty string if there is
/// neither. The memory belongs to the writer.
const char *cpng_writer_message(const cpng_writer *writer);

void cpng_writer_free(cpng_writer *writer);

#endif
