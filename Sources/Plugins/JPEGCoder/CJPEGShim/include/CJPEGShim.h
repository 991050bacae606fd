/// libjpeg-turbo with functions that return instead of jumping.
///
/// libjpeg reports errors through a function that must not return. It therefore jumps, which must not cross Swift's
/// frames: each function here catches its errors and returns a status instead. Use a reader or writer on one thread at
/// a time. After a function of a reader or writer has failed, all later ones fail in the same way.
#ifndef CJPEG_SHIM_H
#define CJPEG_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The result of a function.
typedef enum cjpeg_status {
    CJPEG_OK = 0,
    /// More bytes are needed and may still arrive. This is not a failure; call the function again after appending
    /// bytes.
    CJPEG_WAITING,
    /// The bytes are damaged, or the data cannot be written; the message contains the reason.
    CJPEG_REFUSED,
    /// The library does not support this kind of JPEG; the message names it.
    CJPEG_UNSUPPORTED,
    /// A side is longer than the library supports; the message contains the limit.
    CJPEG_TOO_LARGE,
    /// The bytes ended before the picture was complete.
    CJPEG_ENDED,
    /// The parts of a profile exceed the limit.
    CJPEG_PROFILE_TOO_LONG,
    /// The caller stopped the function.
    CJPEG_STOPPED,
    CJPEG_OUT_OF_MEMORY,
} cjpeg_status;

/// Returns the version of libjpeg-turbo that this was built with; the library does not report its own.
const char *cjpeg_version(void);

/// libjpeg's decompressor for bytes in memory: all of them, or those that have arrived so far.
typedef struct cjpeg_reader cjpeg_reader;

/// The way in which a file stores color.
typedef enum cjpeg_model {
    CJPEG_GRAY,
    CJPEG_YCBCR,
    CJPEG_RGB,
    /// Four inks, either directly or with three of them as YCbCr.
    CJPEG_CMYK,
} cjpeg_model;

/// The data before the first scan.
typedef struct cjpeg_header {
    uint32_t width;
    uint32_t height;
    cjpeg_model model;
    /// Whether the picture consists of several scans. In that case, call `cjpeg_reader_read_scans` before reading rows.
    bool has_scans;
    /// The number of bytes for the coefficients of a picture with several scans; 0 for any other picture, which needs
    /// only few.
    uint64_t coefficient_byte_count;
    /// Whether the file is arithmetically coded. In that case, rows and scans can only be read when all bytes are
    /// present.
    bool is_arithmetic;
    /// Whether the values were determined before the header of the first scan is complete. In that case, `has_scans`
    /// and `coefficient_byte_count` are not known.
    bool is_foretold;
    /// Whether there is a profile with missing or contradicting parts.
    bool is_profile_damaged;
    /// The complete profile; NULL if there is none or it is damaged. The profile and the blocks below belong to the
    /// reader.
    const uint8_t *profile;
    size_t profile_length;
    /// The first EXIF block, beginning with its byte order mark; NULL for none.
    const uint8_t *exif;
    size_t exif_length;
    /// The first XMP packet; NULL if there is none or it is not kept.
    const uint8_t *xmp;
    size_t xmp_length;
} cjpeg_header;

/// The output at a divisor.
typedef struct cjpeg_output {
    uint32_t width;
    uint32_t height;
    /// The number of available planes: 1 for gray, or 3 for luma and two chroma planes as in JFIF. 0 if only rows are
    /// available.
    unsigned plane_count;
    /// The size of the two chroma planes; 0 if there are none. Each side equals the picture's, or half of it rounded
    /// up.
    uint32_t chroma_width;
    uint32_t chroma_height;
} cjpeg_output;

/// The next rows of a plane.
typedef struct cjpeg_strip {
    /// The samples, which belong to the reader and are valid until the next read.
    const uint8_t *bytes;
    /// The distance of rows, which is at least the width of the plane.
    size_t bytes_per_row;
    /// The number of the first row, from 0 at the top.
    uint32_t start;
    /// The number of rows, all of which are inside the picture.
    uint32_t count;
} cjpeg_strip;

/// Creates a reader of `count` bytes, which belong to the caller and must stay in place. Returns NULL if there is no
/// memory.
cjpeg_reader *cjpeg_reader_create(const void *bytes, size_t count);

/// Sets the new address of the caller's bytes, which are otherwise unchanged.
void cjpeg_reader_move(cjpeg_reader *reader, const void *bytes, size_t count);

/// Creates a reader of bytes that are appended. Returns NULL if there is no memory.
cjpeg_reader *cjpeg_reader_create_growing(void);

/// Copies the next bytes of the file. Bytes that were read are dropped.
cjpeg_status cjpeg_reader_append(cjpeg_reader *reader, const void *bytes, size_t count, bool is_last);

/// Makes the header contain the profile and the EXIF block, and with `keeps_xmp` the XMP packet. Call this before the
/// header is read, if at all.
///
/// `profile_limit`: parts of a profile that are longer in total fail at once with `CJPEG_PROFILE_TOO_LONG`.
cjpeg_status cjpeg_reader_keep_metadata(cjpeg_reader *reader, size_t profile_limit, bool keeps_xmp);

/// Reads the bytes up to the first scan. Only allocates memory for metadata.
///
/// `header`: the result for `CJPEG_OK`. For `CJPEG_WAITING` it is filled in early, with `is_foretold`, once the header
/// of the scan has begun and the kind of picture is supported.
cjpeg_status cjpeg_reader_read_header(cjpeg_reader *reader, cjpeg_header *header);

/// Divides the size of the picture by 1, 2, 4 or 8 in both directions. `output`: the resulting output.
cjpeg_status cjpeg_reader_set_divisor(cjpeg_reader *reader, unsigned divisor, cjpeg_output *output);

/// Allocates memory: for all coefficients of a picture with several scans, and for a few rows of any other.
///
/// `gives_planes`: whether to read planes, if the picture has them. Otherwise rows are read.
cjpeg_status cjpeg_reader_start(cjpeg_reader *reader, bool gives_planes);

/// Reads the next part of the scans: a row of blocks, or the data between two scans.
///
/// `is_end`: whether the end was reached, now or before, and the picture is complete.
cjpeg_status cjpeg_reader_read_scans(cjpeg_reader *reader, bool *is_end);

/// Returns the number of the scan that is being read, or was read last. The first scan is 1.
unsigned cjpeg_reader_scan(const cjpeg_reader *reader);

/// Returns the weight of the scans so far, including the current one, in the unit of `cjpeg_scan_work`.
uint64_t cjpeg_reader_weight(const cjpeg_reader *reader);

/// Permits output of the scans that were read completely before `cjpeg_reader_read_scans` failed. Fails with the same
/// status if there is none. No further scans can be read.
cjpeg_status cjpeg_reader_recover(cjpeg_reader *reader);

/// Returns the number of the last complete scan, or 0 if there is none.
unsigned cjpeg_reader_ended_scan(const cjpeg_reader *reader);

/// Begins the output of a picture with several scans, in the quality of scan `scan`. That scan must be complete, and
/// another one must have begun unless it is the last. Data of the next scan are used too.
cjpeg_status cjpeg_reader_start_output(cjpeg_reader *reader, unsigned scan);

/// Ends the output after any number of rows. More scans may be read afterward.
cjpeg_status cjpeg_reader_end_output(cjpeg_reader *reader);

/// Reads the next row as opaque RGBA, or inks as cyan, magenta, yellow and black, from 0 for none to 255 for full.
/// `row` has room for four bytes per pixel, and may be modified even if no row is returned.
cjpeg_status cjpeg_reader_read_row(cjpeg_reader *reader, void *row);

/// Reads the next rows of each plane. `strips` has room for all planes.
cjpeg_status cjpeg_reader_read_planes(cjpeg_reader *reader, cjpeg_strip *strips);

/// Returns the library's error message, which is empty without an error. It belongs to the reader.
const char *cjpeg_reader_message(const cjpeg_reader *reader);

void cjpeg_reader_free(cjpeg_reader *reader);

/// The work of reading the scans of a file.
typedef struct cjpeg_scan_work {
    size_t scan_count;
    /// The number of coefficients: for each scan the coefficients of each block in it, at least eight for a block. They
    /// count twice with arithmetic coding.
    uint64_t weight;
} cjpeg_scan_work;

/// Returns the work of the scans, by their markers and without decoding. The reader must have read the header. Counting
/// ends at the first scan that exceeds a limit.
cjpeg_scan_work cjpeg_reader_weigh_scans(
    const cjpeg_reader *reader, const void *bytes, size_t count, size_t most_scans, uint64_t most_weight);

/// libjpeg's compressor, which writes to memory.
typedef struct cjpeg_writer cjpeg_writer;

/// The format of the rows for a writer: four channels in native byte order.
typedef enum cjpeg_format {
    CJPEG_RGBA8,
    CJPEG_RGBA16,
    /// Values from 0 to 1, which are clamped.
    CJPEG_RGBA_FLOAT,
} cjpeg_format;

/// The picture to write.
typedef struct cjpeg_picture {
    uint32_t width;
    uint32_t height;
    cjpeg_format format;
    /// Whether alpha is full everywhere or is to be ignored. Otherwise the picture is composed with the background.
    bool is_opaque;
    /// Red, green and blue.
    uint8_t background[3];
    /// Whether to write gray; all three channels are equal.
    bool is_gray;
    bool is_progressive;
    /// Whether Huffman codes are computed from all coefficients of this picture. Scans always have their own codes.
    bool has_own_tables;
    /// Whether to write only the segments that decoding needs, as in thumbnails within EXIF blocks.
    bool is_bare;
    /// The quality, 1...100.
    int quality;
    /// The number of pixels in a row, and of rows, that share a chroma sample: 1 or 2.
    int horizontal_factor;
    int vertical_factor;
} cjpeg_picture;

/// Creates a writer. Returns NULL if there is no memory.
cjpeg_writer *cjpeg_writer_create(void);

/// Writes the start of a file. Call this first.
cjpeg_status cjpeg_writer_start(cjpeg_writer *writer, const cjpeg_picture *picture);

/// Embeds the EXIF block, which begins with its byte order mark. Call this before other metadata and the first row.
cjpeg_status cjpeg_writer_write_exif(cjpeg_writer *writer, const void *block, size_t length);

/// Embeds an XMP packet. Call this before the first row.
cjpeg_status cjpeg_writer_write_xmp(cjpeg_writer *writer, const void *packet, size_t length);

/// Embeds an ICC profile without checking it. Call this before the first row.
cjpeg_status cjpeg_writer_write_profile(cjpeg_writer *writer, const void *profile, size_t length);

/// Writes the next rows. `row_length` is the distance of their first bytes.
cjpeg_status cjpeg_writer_write_rows(cjpeg_writer *writer, const void *rows, size_t row_length, size_t count);

/// Ends the file and returns its bytes. Release `bytes` with free(). For a picture with several scans or its own
/// tables, this is most of the work.
///
/// `should_stop`: called repeatedly with `context`. If it returns true, the function fails with `CJPEG_STOPPED`.
cjpeg_status cjpeg_writer_finish(
    cjpeg_writer *writer, bool (*should_stop)(const void *context), const void *context, void **bytes, size_t *count);

/// Returns the library's error message, which is empty without an error. It belongs to the writer.
const char *cjpeg_writer_message(const cjpeg_writer *writer);

void cjpeg_writer_free(cjpeg_writer *writer);

#endif
