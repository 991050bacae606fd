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
    /// A side is longer than the library takes; the message says how long it may be.
    CJPEG_TOO_LARGE,
    /// The bytes ended before all of the picture was there.
    CJPEG_ENDED,
    /// The parts of a profile are longer than what is allowed.
    CJPEG_PROFILE_TOO_LONG,
    /// The caller wanted no more of it.
    CJPEG_STOPPED,
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
    /// How many bytes the coefficients of a picture of many scans take; 0 for any other, which needs few of them.
    uint64_t coefficient_byte_count;
    /// Whether it is arithmetically coded. If so, rows and scans can be read only when the last byte is there.
    bool is_arithmetic;
    /// Whether this is said before the header of the first scan is there, which ends all that stands before: then
    /// `has_scans` and what the coefficients take are not known.
    bool is_foretold;
    /// Whether there is a profile that cannot be put together: parts of it are missing or contradict each other.
    bool is_profile_damaged;
    /// The profile, put together; NULL without one, and where it is damaged. The reader's, as are the blocks below.
    const uint8_t *profile;
    size_t profile_length;
    /// The first EXIF block, from its byte order mark on; NULL without one.
    const uint8_t *exif;
    size_t exif_length;
    /// The first XMP packet; NULL without one, and where it is not kept.
    const uint8_t *xmp;
    size_t xmp_length;
} cjpeg_header;

/// What comes out at a divisor.
typedef struct cjpeg_output {
    uint32_t width;
    uint32_t height;
    /// How many planes the picture can be given as: 1 of gray, or 3 of luma and two differences of colour, as JFIF has
    /// them. 0 when it can be given as rows only.
    unsigned plane_count;
    /// The size of the two differences of colour; 0 without them. Each side is the picture's, or half of it rounded up.
    uint32_t chroma_width;
    uint32_t chroma_height;
} cjpeg_output;

/// The next rows of a plane, one behind the other.
typedef struct cjpeg_strip {
    /// The reader's, until more is read.
    const uint8_t *bytes;
    /// As wide as the plane, or more.
    size_t bytes_per_row;
    /// The number of the first row, from 0 at the top.
    uint32_t start;
    /// How many rows there are, all of them inside the picture.
    uint32_t count;
} cjpeg_strip;

/// A reader of `count` bytes, which stay the caller's and in place; NULL when there is no memory.
cjpeg_reader *cjpeg_reader_create(const void *bytes, size_t count);

/// Says where the caller's bytes, the same as before, are now.
void cjpeg_reader_move(cjpeg_reader *reader, const void *bytes, size_t count);

/// A reader of bytes that are appended; NULL when there is no memory.
cjpeg_reader *cjpeg_reader_create_growing(void);

/// Copies the bytes that follow those appended before. Those that have been read are forgotten.
cjpeg_status cjpeg_reader_append(cjpeg_reader *reader, const void *bytes, size_t count, bool is_last);

/// Has the header tell the profile and the EXIF block, and the XMP packet where `keeps_xmp`. To be called before the
/// header is read, or not at all.
/// `profile_limit`: parts of a profile that are longer together are refused at once, with `CJPEG_PROFILE_TOO_LONG`.
cjpeg_status cjpeg_reader_keep_metadata(cjpeg_reader *reader, size_t profile_limit, bool keeps_xmp);

/// Reads up to the first scan. Takes no memory but for metadata.
/// `header`: what it says, with `CJPEG_OK`. With `CJPEG_WAITING` it is foretold as soon as the header of the scan has
/// begun, where the picture is of a kind that is read; else it says nothing.
cjpeg_status cjpeg_reader_read_header(cjpeg_reader *reader, cjpeg_header *header);

/// Makes the picture come divided by 1, 2, 4 or 8 in both directions. `output`: what comes out then.
cjpeg_status cjpeg_reader_set_divisor(cjpeg_reader *reader, unsigned divisor, cjpeg_output *output);

/// Takes memory: for all coefficients of a picture of many scans, for a few rows of any other.
/// `gives_planes`: whether planes are read, of a picture that has them; if not, rows are.
cjpeg_status cjpeg_reader_start(cjpeg_reader *reader, bool gives_planes);

/// Reads the next part of the scans: a row of blocks, or what stands between two scans.
/// `is_end`: whether the end was reached, now or before, and nothing of the picture is missing.
cjpeg_status cjpeg_reader_read_scans(cjpeg_reader *reader, bool *is_end);

/// The number of the scan that is being read, or was the last to be: the first is 1.
unsigned cjpeg_reader_scan(const cjpeg_reader *reader);

/// The weight of the scans so far, as `cjpeg_scan_work` counts it, the one that is being read included.
uint64_t cjpeg_reader_weight(const cjpeg_reader *reader);

/// Lets the pixels be given of the scans that were read to their ends before `cjpeg_reader_read_scans` failed. Fails as
/// that did where there is none. No more scans can be read.
cjpeg_status cjpeg_reader_recover(cjpeg_reader *reader);

/// The number of the last scan that was read to its end; 0 before there is one.
unsigned cjpeg_reader_ended_scan(const cjpeg_reader *reader);

/// Begins to give the pixels of a picture of many scans, as good as it is by scan number `scan`, which was read to its
/// end and has another behind it or is the last. What is known of the next scan is used too.
cjpeg_status cjpeg_reader_start_output(cjpeg_reader *reader, unsigned scan);

/// Ends what `cjpeg_reader_start_output` began, after any number of rows. Then there may be more scans to read.
cjpeg_status cjpeg_reader_end_output(cjpeg_reader *reader);

/// Gives the next row as RGBA, opaque; of inks as cyan, magenta, yellow and black, from 0 for none to 255 for all.
/// `row` has room for the width times four bytes; when it is not given, it may have been written to nevertheless.
cjpeg_status cjpeg_reader_read_row(cjpeg_reader *reader, void *row);

/// Gives the next rows of each plane. `strips` has room for as many as there are planes.
cjpeg_status cjpeg_reader_read_planes(cjpeg_reader *reader, cjpeg_strip *strips);

/// What the library said of the failure; empty without one. The reader's.
const char *cjpeg_reader_message(const cjpeg_reader *reader);

void cjpeg_reader_free(cjpeg_reader *reader);

/// What there is to do to read the scans of a file.
typedef struct cjpeg_scan_work {
    size_t scan_count;
    /// The number of coefficients: in each scan those that it brings of each of its blocks, but eight at least;
    /// twice as many where they are arithmetically coded.
    uint64_t weight;
} cjpeg_scan_work;

/// Adds up what the scans of a file are, by its markers and without decoding, where the reader has read its header. It
/// ends at the first scan that exceeds one of the limits.
cjpeg_scan_work cjpeg_reader_weigh_scans(
    const cjpeg_reader *reader, const void *bytes, size_t count, size_t most_scans, uint64_t most_weight);

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
    /// Whether alpha is full everywhere, or to be taken for that. If not, the picture is put on the background.
    bool is_opaque;
    /// Red, green and blue.
    uint8_t background[3];
    /// Whether gray is written: all three channels are equal.
    bool is_gray;
    bool is_progressive;
    /// Whether codes are made for this picture, of all its coefficients, as they always are for scans.
    bool has_own_tables;
    /// Whether nothing is said of the picture but what it takes to decode it, as in thumbnails within EXIF blocks.
    bool is_bare;
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

/// Embeds the EXIF block, from its byte order mark on. Before the first row, and before all else that is embedded.
cjpeg_status cjpeg_writer_write_exif(cjpeg_writer *writer, const void *block, size_t length);

/// Embeds an XMP packet. Before the first row.
cjpeg_status cjpeg_writer_write_xmp(cjpeg_writer *writer, const void *packet, size_t length);

/// Embeds an ICC profile, which is not looked at. Before the first row.
cjpeg_status cjpeg_writer_write_profile(cjpeg_writer *writer, const void *profile, size_t length);

/// Writes the next rows, each of which begins `row_length` bytes behind the one before.
cjpeg_status cjpeg_writer_write_rows(cjpeg_writer *writer, const void *rows, size_t row_length, size_t count);

/// Ends the file and gives it away: `bytes` are to be released with free(). Of a picture in scans, or with tables of
/// its own, this is the most work.
/// `should_stop`: asked now and then, with `context`; where it says so, the function fails with `CJPEG_STOPPED`.
cjpeg_status cjpeg_writer_finish(
    cjpeg_writer *writer, bool (*should_stop)(const void *context), const void *context, void **bytes, size_t *count);

/// What the library said of the failure; empty without one. The writer's.
const char *cjpeg_writer_message(const cjpeg_writer *writer);

void cjpeg_writer_free(cjpeg_writer *writer);

#endif
