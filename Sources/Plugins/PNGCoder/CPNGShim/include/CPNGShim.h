/// libpng behind functions that return.
///
/// libpng reports errors by longjmp, which must not cross Swift's frames: each function here catches its own and
/// returns a status instead. One reader or writer is used by one thread at a time. Once a function of a reader or a
/// writer has failed, all later ones fail in the same way.
#ifndef CPNG_SHIM_H
#define CPNG_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How many chunks of less than `CPNG_SMALL_CHUNK` bytes may be in what is read at once: more are no picture, but work
/// for whoever goes through them. Larger ones take so many bytes that these limit them.
enum { CPNG_MOST_SMALL_CHUNKS = 100000, CPNG_SMALL_CHUNK = 1024 };

/// How a function ended.
typedef enum cpng_status {
    CPNG_OK = 0,
    /// libpng refused; the message says why.
    CPNG_REFUSED,
    /// The bytes ended before libpng had what it wanted.
    CPNG_ENDED,
    CPNG_OUT_OF_MEMORY,
    /// What would come out is longer than the limit.
    CPNG_TOO_LONG,
} cpng_status;

/// libpng's reader.
typedef struct cpng_reader cpng_reader;

/// Copies the next `count` bytes to `target`. False when they cannot be had, which is as if the bytes ended: it is not
/// called again. libpng stands above it on the stack, so it must return.
typedef bool (*cpng_read)(void *context, void *target, size_t count);

/// The bodies of the chunks that tell colours; NULL for one that is not there. The reader's.
///
/// Of several the first counts. One that is damaged, of another length, or behind the palette is none.
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

/// What stands before the pixels.
typedef struct cpng_header {
    uint32_t width;
    uint32_t height;
    /// Bits of a channel, or of a palette index.
    uint8_t bit_depth;
    bool is_palette;
    bool is_gray;
    bool is_interlaced;
    /// Whether there is an alpha channel or a tRNS chunk.
    bool has_alpha;
    /// Whether a profile was dropped because it is longer than the limit.
    bool is_profile_too_long;
    /// Whether there is a profile that was dropped because it makes no sense.
    bool is_profile_damaged;
    /// The inflated profile; NULL without one. The reader's, as is the block below.
    const uint8_t *profile;
    size_t profile_length;
    /// What says the same in other ways.
    cpng_color_chunks color_chunks;
    /// The EXIF block, from its byte order mark on; NULL without one.
    const uint8_t *exif;
    size_t exif_length;
    /// Whether there is none because it is longer than the limit.
    bool is_exif_too_long;
    /// The bodies of the acTL chunk, 8 bytes, and of the fcTL chunk, 26 bytes, that stand before the pixels; NULL for
    /// one that is not there. Of several the first counts that is not damaged. The reader's.
    const uint8_t *animation_control;
    const uint8_t *frame_control;
    /// Where in the bytes the first chunk of pixels begins.
    size_t pixel_offset;
} cpng_header;

/// A reader of `count` bytes, which `read` gives in their order when it is called with `context`; NULL when there is no
/// memory.
cpng_reader *cpng_reader_create(cpng_read read, void *context, size_t count);

/// Takes the checksums of critical chunks for right, whatever they are. To be called first, if at all, by those who
/// check the bytes themselves.
void cpng_reader_skip_checksums(cpng_reader *reader);

/// Reads all chunks before the pixels. Fails where there are too many.
/// `profile_limit`, `exif_limit`: an EXIF block that would be longer is dropped before memory is taken for it, and so
/// is a profile that would be longer than both. 0 for both skips them.
cpng_status cpng_reader_read_header(
    cpng_reader *reader, size_t profile_limit, size_t exif_limit, cpng_header *header);

/// Makes rows come as RGBA with straight alpha: 16 bits in the machine's byte order, or 8 bits. Files of 8 bits and
/// less have no 16. Takes memory for two rows. `passes`: how often the rows are to be read from the first to the last.
cpng_status cpng_reader_start_rows(cpng_reader *reader, bool wants_16_bits, int *passes);

/// Reads the next row. `row` has room for the width times four channels, and is the memory that it had in the pass
/// before: a pass writes only pixels of its own. Or, where it `fills_blocks`, also those around them that later passes
/// bring, so that no gaps are seen on the way; the last pass leaves the same.
cpng_status cpng_reader_read_row(cpng_reader *reader, void *row, bool fills_blocks);

/// What libpng said of the failure; empty without one. The reader's.
const char *cpng_reader_message(const cpng_reader *reader);

void cpng_reader_free(cpng_reader *reader);

/// libpng's other reader, for bytes that come piece by piece. It writes the rows that have come to memory of the
/// caller's.
typedef struct cpng_pusher cpng_pusher;

/// How far a picture has come.
typedef struct cpng_progress {
    /// The pass that is coming; 7 for an interlaced picture that is there.
    int pass;
    /// How many rows of it have come.
    uint32_t row_count;
    /// Whether all pixels have.
    bool is_complete;
} cpng_progress;

/// A reader; NULL when there is no memory. `rows` is room for all rows of the file, each of the width times four
/// channels, of 16 bits or of 8 as `cpng_reader_start_rows` says. In an interlaced picture each pixel fills the block
/// around it that later passes refine.
cpng_pusher *cpng_pusher_create(void *rows, uint32_t width, uint32_t height, bool wants_16_bits);

/// How many of the next bytes, at least 1, bring no more than so many pixels, whatever they are; one of an early pass
/// counts as often as it is written. For those who want to stop in between: libpng makes rows of all that it is given,
/// where a byte may stand for a thousand, and to pause it among them makes it read on behind the bytes.
size_t cpng_pusher_reach(const cpng_pusher *pusher, size_t pixel_count);

/// Reads the next bytes.
cpng_status cpng_pusher_push(cpng_pusher *pusher, const void *bytes, size_t count);

cpng_progress cpng_pusher_progress(const cpng_pusher *pusher);

/// What libpng said of the failure; empty without one. The pusher's.
const char *cpng_pusher_message(const cpng_pusher *pusher);

void cpng_pusher_free(cpng_pusher *pusher);

/// Inflates a zlib stream, of which the end is not missed; `result` is to be released with free(). Fails with
/// `CPNG_TOO_LONG` before it takes memory for more than `limit` bytes. `result_count` says also of a failure how many
/// bytes were made: they took their time.
cpng_status cpng_inflate(const void *bytes, size_t count, size_t limit, void **result, size_t *result_count);

/// libpng's writer, into memory.
typedef struct cpng_writer cpng_writer;

/// What the rows given to a writer are: always four channels, in the machine's byte order.
typedef enum cpng_source {
    CPNG_RGBA8,
    CPNG_RGBA16,
    /// 0...1, clamped and written as 16 bits.
    CPNG_RGBA_FLOAT,
} cpng_source;

/// Where two rows of `count` bytes differ: from the first such byte to behind the last. False when they are equal.
bool cpng_find_change(const void *before, const void *after, size_t count, size_t *first, size_t *end);

/// The few colours of pictures of `CPNG_RGBA8`, each with its alpha, and codes of 1, 2, 4 or 8 bits to write them by.
typedef struct cpng_colors cpng_colors;

/// No colours yet; NULL when there is no memory.
cpng_colors *cpng_colors_create(void);

/// Adds the colours of a row. False when they would be more than `limit`, or than 256: some are then missing.
bool cpng_colors_add(cpng_colors *colors, const void *row, size_t width, size_t limit);

size_t cpng_colors_count(const cpng_colors *colors);

/// How many are not opaque.
size_t cpng_colors_transparent_count(const cpng_colors *colors);

/// How many bits hold the levels of colours that are all gray and opaque: PNG's levels are evenly spaced.
int cpng_colors_gray_depth(const cpng_colors *colors);

/// How many bits hold an index into all of them.
int cpng_colors_palette_depth(const cpng_colors *colors);

/// Makes the codes levels of gray. For colours that are all gray and opaque.
void cpng_colors_make_grays(cpng_colors *colors);

/// Makes the codes indices into a palette, in which those that are not opaque stand first.
void cpng_colors_make_palette(cpng_colors *colors);

void cpng_colors_free(cpng_colors *colors);

/// How a picture is written.
typedef struct cpng_form {
    cpng_source source;
    /// 1 gray, 2 gray and alpha, 3 colour, 4 colour and alpha; gray is taken from red.
    int channels;
    /// What pixels are written by in place of channels; NULL for channels. It has codes for all colours of the picture,
    /// and stays as long as the writer.
    const cpng_colors *colors;
    /// zlib's, 0...9.
    int level;
} cpng_form;

/// Where a frame stands in the picture, and for how many seconds.
typedef struct cpng_placement {
    uint32_t x;
    uint32_t y;
    uint32_t width;
    uint32_t height;
    uint16_t delay_numerator;
    uint16_t delay_denominator;
} cpng_placement;

/// A writer; NULL when there is no memory.
cpng_writer *cpng_writer_create(void);

/// Says what is written. To be called first.
cpng_status cpng_writer_set_picture(cpng_writer *writer, uint32_t width, uint32_t height, cpng_form form);

/// Embeds an ICC profile. To be called last of those that say what is written: libpng is told to go on where it could.
/// `is_embedded`: whether it is. If not, it is damaged, or its colour space is not the picture's, and the message says
/// which.
cpng_status cpng_writer_set_profile(cpng_writer *writer, const void *profile, uint32_t length, bool *is_embedded);

/// Says that the colours are sRGB.
cpng_status cpng_writer_set_srgb(cpng_writer *writer);

/// Embeds an EXIF block.
cpng_status cpng_writer_set_exif(cpng_writer *writer, const void *exif, uint32_t length);

/// Writes all that stands before the pixels.
cpng_status cpng_writer_write_header(cpng_writer *writer);

/// Embeds an XMP packet.
cpng_status cpng_writer_write_xmp(cpng_writer *writer, const void *packet, uint32_t length);

/// Makes it an animation. Every frame is then begun before its rows.
cpng_status cpng_writer_write_animation(cpng_writer *writer, uint32_t frame_count, uint32_t play_count);

/// Begins the next frame, whose rows replace what is at its place. The first has the place of the whole picture.
cpng_status cpng_writer_begin_frame(cpng_writer *writer, cpng_placement placement);

/// Writes the next row.
cpng_status cpng_writer_write_row(cpng_writer *writer, const void *row);

/// Ends the file and gives it away: `bytes` are to be released with free().
cpng_status cpng_writer_finish(cpng_writer *writer, void **bytes, size_t *count);

/// What libpng said of the failure, or of a profile that is not embedded; empty without one. The writer's.
const char *cpng_writer_message(const cpng_writer *writer);

void cpng_writer_free(cpng_writer *writer);

#endif
