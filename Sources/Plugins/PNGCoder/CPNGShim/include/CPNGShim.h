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

/// How a function ended.
typedef enum cpng_status {
    CPNG_OK = 0,
    /// libpng refused; the message says why.
    CPNG_REFUSED,
    /// The bytes ended before libpng had what it wanted.
    CPNG_ENDED,
    CPNG_OUT_OF_MEMORY,
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
    /// The inflated profile; NULL without one. The reader's, as is the block below.
    const uint8_t *profile;
    size_t profile_length;
    /// What says the same in other ways.
    cpng_color_chunks color_chunks;
    /// The EXIF block, from its byte order mark on; NULL without one.
    const uint8_t *exif;
    size_t exif_length;
} cpng_header;

/// A reader of `count` bytes, which `read` gives in their order when it is called with `context`; NULL when there is no
/// memory.
cpng_reader *cpng_reader_create(cpng_read read, void *context, size_t count);

/// Reads all chunks before the pixels.
/// `metadata_limit`: a profile that would be longer is dropped before memory is taken for it, and so may an EXIF block
/// be. 0 skips both.
cpng_status cpng_reader_read_header(cpng_reader *reader, size_t metadata_limit, cpng_header *header);

/// Makes rows come as RGBA with straight alpha: 16 bits in the machine's byte order, or 8 bits. Files of 8 bits and
/// less have no 16. Takes memory for two rows. `passes`: how often the rows are to be read from the first to the last.
cpng_status cpng_reader_start_rows(cpng_reader *reader, bool wants_16_bits, int *passes);

/// Reads the next row. `row` has room for the width times four channels, and is the memory that it had in the pass
/// before: a pass writes only pixels of its own.
cpng_status cpng_reader_read_row(cpng_reader *reader, void *row);

/// What libpng said of the failure; empty without one. The reader's.
const char *cpng_reader_message(const cpng_reader *reader);

void cpng_reader_free(cpng_reader *reader);

/// libpng's writer, into memory.
typedef struct cpng_writer cpng_writer;

/// What the rows given to a writer are: always four channels, in the machine's byte order.
typedef enum cpng_source {
    CPNG_RGBA8,
    CPNG_RGBA16,
    /// 0...1, clamped and written as 16 bits.
    CPNG_RGBA_FLOAT,
} cpng_source;

/// A writer; NULL when there is no memory.
cpng_writer *cpng_writer_create(void);

/// Says what is written. To be called first.
/// `channels`: 1 gray, 2 gray and alpha, 3 colour, 4 colour and alpha; gray is taken from red.
/// `level`: zlib's, 0...9.
cpng_status cpng_writer_set_picture(
    cpng_writer *writer, uint32_t width, uint32_t height, int channels, cpng_source source, int level);

/// Embeds an ICC profile. Fails when it is damaged, or when its colour space is not the picture's.
cpng_status cpng_writer_set_profile(cpng_writer *writer, const void *profile, uint32_t length);

/// Says that the colours are sRGB.
cpng_status cpng_writer_set_srgb(cpng_writer *writer);

/// Embeds an EXIF block.
cpng_status cpng_writer_set_exif(cpng_writer *writer, const void *exif, uint32_t length);

/// Writes all that stands before the pixels.
cpng_status cpng_writer_write_header(cpng_writer *writer);

/// Writes the next row.
cpng_status cpng_writer_write_row(cpng_writer *writer, const void *row);

/// Ends the file and gives it away: `bytes` are to be released with free().
cpng_status cpng_writer_finish(cpng_writer *writer, void **bytes, size_t *count);

/// What libpng said of the failure; empty without one. The writer's.
const char *cpng_writer_message(const cpng_writer *writer);

void cpng_writer_free(cpng_writer *writer);

#endif
