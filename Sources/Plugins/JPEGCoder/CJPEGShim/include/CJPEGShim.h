/// libjpeg-turbo behind functions that return.
///
/// libjpeg reports errors through a function that must not return, so it jumps, which must not cross Swift's frames:
/// each function here catches its own and returns a status instead. One reader or writer is used by one thread at a
/// time. Once a function of a reader or a writer has failed, all later ones fail in the same way.
#ifndef CJPEG_SHIM_H
#define CJPEG_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How a function ended.
typedef enum cjpeg_status {
    CJPEG_OK = 0,
    /// More bytes are wanted, which may still come. No failure: the function is to be called again then.
    CJPEG_WAITING,
    /// The bytes are damaged, or what is to be written cannot be; the message says why.
    CJPEG_REFUSED,
    /// A kind of JPEG that the library does not read; the message says which.
    CJPEG_UNSUPPORTED,
    /// The bytes ended before all of the picture was there.
    CJPEG_ENDED,
    CJPEG_OUT_OF_MEMORY,
} cjpeg_status;

/// The version of libjpeg-turbo that this was built with; the library cannot be asked for its own.
const char *cjpeg_version(void);

/// libjpeg's decompressor, over bytes in memory: all of them, or those that have come so far.
typedef struct cjpeg_reader cjpeg_reader;

/// How a file stores colour.
typedef enum cjpeg_model {
    CJPEG_GRAY,
    CJPEG_YCBCR,
    CJPEG_RGB,
    /// Four inks, as they are or three of them as YCbCr.
    CJPEG_CMYK,
} cjpeg_model;

/// What stands before the first scan.
typedef struct cjpeg_header {
    uint32_t width;
    uint32_t height;
    cjpeg_model model;
    /// Whether more than one scan makes up the picture. If so, `cjpeg_reader_read_scans` comes before rows.
    bool has_scans;
    /// Whether it is arithmetically coded. If so, rows and scans can be read only when the last byte is there.
    bool is_arithmetic;
    /// Whether there is a profile that was not kept, because it is longer than the limit.
    bool is_profile_too_long;
    /// The profile, put together; NULL without one, and where parts of it are missing or contradict each other. The
    /// reader's, as is the block below.
    const uint8_t *profile;
    size_t profile_length;
    /// The first EXIF block, from `Exif` and two zero bytes on; NULL without one.
    const uint8_t *exif;
    size_t exif_length;
} cjpeg_header;

/// A reader of `count` bytes, which stay the caller's and in place; NULL when there is no memory.
cjpeg_reader *cjpeg_reader_create(const void *bytes, size_t count);

/// A reader of bytes that are appended; NULL when there is no memory.
cjpeg_reader *cjpeg_reader_create_growing(void);

/// Copies the bytes that follow those appended before. Those that have been read are forgotten.
cjpeg_status cjpeg_reader_append(cjpeg_reader *reader, const void *bytes, size_t count, bool is_last);

/// Has the header tell the profile and the EXIF block. To be called before the header is read, or not at all.
/// `profile_limit`: of a longer profile no more than this is kept, and it is not told.
cjpeg_status cjpeg_reader_keep_metadata(cjpeg_reader *reader, size_t profile_limit);

/// Reads up to the first scan. Takes no memory but for metadata.
cjpeg_status cjpeg_reader_read_header(cjpeg_reader *reader, cjpeg_header *header);

/// Makes rows come divided by 1, 2, 4 or 8 in both directions. `width` and `height`: the size that they then have.
cjpeg_status cjpeg_reader_set_divisor(cjpeg_reader *reader, unsigned divisor, uint32_t *width, uint32_t *height);

/// Takes memory: for all coefficients of a picture of many scans, for a few rows of any other.
cjpeg_status cjpeg_reader_start(cjpeg_reader *reader);

/// Reads the next part of the scans: a row of blocks, or what stands between two scans.
/// `is_end`: whether the end was reached, now or before, and nothing of the picture is missing.
cjpeg_status cjpeg_reader_read_scans(cjpeg_reader *reader, bool *is_end);

/// The number of the scan that is being read, or was the last to be: the first is 1.
unsigned cjpeg_reader_scan(const cjpeg_reader *reader);

/// Begins to give the rows of a picture of many scans, as good as it is by scan number `scan`, which was read to its
/// end and has another behind it or is the last. What is known of the next scan is used too.
cjpeg_status cjpeg_reader_start_rows(cjpeg_reader *reader, unsigned scan);

/// Ends what `cjpeg_reader_start_rows` began, after any number of rows. Then there may be more scans to read.
cjpeg_status cjpeg_reader_end_rows(cjpeg_reader *reader);

/// Gives the next row as RGBA, opaque. `row` has room for the width times four bytes; when it is not given, it may have
/// been written to nevertheless. Inks become colours without a profile: what an ink and black let through.
cjpeg_status cjpeg_reader_read_row(cjpeg_reader *reader, void *row);

/// What the library said of the failure; empty without one. The reader's.
const char *cjpeg_reader_message(const cjpeg_reader *reader);

void cjpeg_reader_free(cjpeg_reader *reader);

/// How many scans a file has, by its markers and without decoding; does not count further than one over `limit`.
size_t cjpeg_count_scans(const void *bytes, size_t count, size_t limit);

/// libjpeg's compressor, into memory.
typedef struct cjpeg_writer cjpeg_writer;

/// What the rows given to a writer are: always four channels, in the machine's byte order.
typedef enum cjpeg_format {
    CJPEG_RGBA8,
    CJPEG_RGBA16,
    /// 0...1, clamped.
    CJPEG_RGBA_FLOAT,
} cjpeg_format;

/// What is to be written.
typedef struct cjpeg_picture {
    uint32_t width;
    uint32_t height;
    cjpeg_format format;
    /// Whether alpha is full everywhere, or to be taken for that. If not, the picture is put on white.
    bool is_opaque;
    /// Whether gray is written: all three channels are equal.
    bool is_gray;
    bool is_progressive;
    /// 1...100.
    int quality;
    /// How many pixels in a row, and how many rows, share a sample of colour: 1 or 2.
    int horizontal_factor;
    int vertical_factor;
} cjpeg_picture;

/// A writer; NULL when there is no memory.
cjpeg_writer *cjpeg_writer_create(void);

/// Writes the start of a file. To be called first.
cjpeg_status cjpeg_writer_start(cjpeg_writer *writer, const cjpeg_picture *picture);

/// Embeds an EXIF block that has `Exif` and two zero bytes before it. Before the first row, and before a profile.
cjpeg_status cjpeg_writer_write_exif(cjpeg_writer *writer, const void *exif, size_t length);

/// Embeds an ICC profile, which is not looked at. Before the first row.
cjpeg_status cjpeg_writer_write_profile(cjpeg_writer *writer, const void *profile, size_t length);

/// Writes the next row.
cjpeg_status cjpeg_writer_write_row(cjpeg_writer *writer, const void *row);

/// Ends the file and gives it away: `bytes` are to be released with free().
cjpeg_status cjpeg_writer_finish(cjpeg_writer *writer, void **bytes, size_t *count);

/// What the library said of the failure; empty without one. The writer's.
const char *cjpeg_writer_message(const cjpeg_writer *writer);

void cjpeg_writer_free(cjpeg_writer *writer);

#endif
