/// libjpeg-turbo with functions that return instead of jumping.
///
/// libjpeg reports errors through a function that must not return. That function therefore jumps, and a jump must not
/// cross Swift's frames. So each function here catches libjpeg's errors and returns a status. Use a reader or writer on
/// one thread at a time. After a function of a reader or writer has failed, all later calls for the same reader or
/// writer fail in the same way.
#ifndef CJPEG_SHIM_H
#define CJPEG_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The result of a function.
typedef enum cjpeg_status {
    CJPEG_OK = 0,
    /// More bytes are needed and may still arrive. This is not a failure: append bytes and call the function again.
    CJPEG_WAITING,
    /// The bytes are damaged, or the data cannot be written; the message contains the reason.
    CJPEG_REFUSED,
    /// libjpeg-turbo does not support this kind of JPEG; the message names the kind.
    CJPEG_UNSUPPORTED,
    /// A side of the picture is longer than libjpeg-turbo supports; the message contains the limit.
    CJPEG_TOO_LARGE,
    /// The bytes ended before the picture was complete.
    CJPEG_ENDED,
    /// The profile is longer than the limit.
    CJPEG_PROFILE_TOO_LONG,
    /// The caller stopped the function through `should_stop`.
    CJPEG_STOPPED,
    CJPEG_OUT_OF_MEMORY,
} cjpeg_status;

/// Returns the version of libjpeg-turbo that this code was built with. The library itself does not report its version.
const char *cjpeg_version(void);

/// libjpeg's decompressor for the bytes of a file in memory: all of them, or those that have arrived so far.
typedef struct cjpeg_reader cjpeg_reader;

/// The way in which a file stores color.
typedef enum cjpeg_model {
    CJPEG_GRAY,
    CJPEG_YCBCR,
    CJPEG_RGB,
    /// Four inks (CMYK), or black and three inks that are stored as YCbCr (YCCK).
    CJPEG_CMYK,
} cjpeg_model;

/// The properties of a file, from the data before its first scan.
typedef struct cjpeg_header {
    uint32_t width;
    uint32_t height;
    cjpeg_model model;
    /// Whether the picture consists of several scans. In that case, call `cjpeg_reader_read_scans` before reading rows.
    bool has_scans;
    /// The memory for the coefficients of a picture with several scans, in bytes; 0 for other pictures, which need
    /// little memory.
    uint64_t coefficient_byte_count;
    /// Whether the file is arithmetically coded. In that case, rows and scans can only be read when all bytes are
    /// present.
    bool is_arithmetic;
    /// Whether the values were determined before the whole header of the first scan has arrived. In that case,
    /// `has_scans` and `coefficient_byte_count` are not known.
    bool is_foretold;
    /// Whether there is a profile with missing or contradicting parts.
    bool is_profile_damaged;
    /// The complete profile; NULL if there is no profile or it is damaged. The profile, the EXIF block and the XMP
    /// packet belong to the reader.
    const uint8_t *profile;
    size_t profile_length;
    /// The first EXIF block, beginning with its byte order mark; NULL if there is none.
    const uint8_t *exif;
    size_t exif_length;
    /// The first XMP packet; NULL if there is none or the packet is not kept.
    const uint8_t *xmp;
    size_t xmp_length;
} cjpeg_header;

/// The size of the picture and of its planes, divided by the divisor.
typedef struct cjpeg_output {
    uint32_t width;
    uint32_t height;
    /// The number of available planes: 1 for gray, 3 for luma and two chroma planes as in JFIF, 0 if only rows are
    /// available.
    unsigned plane_count;
    /// The width of each of the two chroma planes: that of the picture, or half of it rounded up. 0 if there are no
    /// chroma planes.
    uint32_t chroma_width;
    /// The height of each of the two chroma planes: that of the picture, or half of it rounded up. 0 if there are no
    /// chroma planes.
    uint32_t chroma_height;
} cjpeg_output;

/// The next rows of a plane.
typedef struct cjpeg_strip {
    /// The samples, which belong to the reader and are valid until the next read.
    const uint8_t *bytes;
    /// The distance between the starts of two rows, in bytes: at least the width of the plane.
    size_t bytes_per_row;
    /// The number of the first row, from 0 at the top.
    uint32_t start;
    /// The number of rows, all of which are inside the picture.
    uint32_t count;
} cjpeg_strip;

/// Creates a reader of `count` bytes, which belong to the caller and must stay in place. Returns NULL if there is not
/// enough memory.
cjpeg_reader *cjpeg_reader_create(const void *bytes, size_t count);

/// Sets a new address for the bytes of the file. The bytes themselves must be the same.
void cjpeg_reader_move(cjpeg_reader *reader, const void *bytes, size_t count);

/// Creates a reader without bytes, which are passed to `cjpeg_reader_append`. Returns NULL if there is not enough
/// memory.
cjpeg_reader *cjpeg_reader_create_growing(void);

/// Appends the next bytes of the file, which are copied. Bytes that libjpeg has already read are dropped.
cjpeg_status cjpeg_reader_append(cjpeg_reader *reader, const void *bytes, size_t count, bool is_last);

/// Makes the header contain the profile and the EXIF block, and with `keeps_xmp` the XMP packet. If this function is
/// called, then before the header is read.
///
/// `profile_limit`: the maximum total length of the parts of a profile, in bytes. Longer parts fail at once with
/// `CJPEG_PROFILE_TOO_LONG`.
cjpeg_status cjpeg_reader_keep_metadata(cjpeg_reader *reader, size_t profile_limit, bool keeps_xmp);

/// Reads the bytes up to the first scan. Allocates memory only for metadata.
///
/// `header`: the result if `CJPEG_OK` is returned. If `CJPEG_WAITING` is returned, the header is also filled in, with
/// `is_foretold`, once the header of the scan has begun and the kind of picture is supported.
cjpeg_status cjpeg_reader_read_header(cjpeg_reader *reader, cjpeg_header *header);

/// Makes the reader divide both sides of the picture by 1, 2, 4 or 8, rounding up. `output`: the resulting sizes.
cjpeg_status cjpeg_reader_set_divisor(cjpeg_reader *reader, unsigned divisor, cjpeg_output *output);

/// Allocates the memory for decoding: for all coefficients of a picture with several scans, and for a few rows of other
/// pictures.
///
/// `gives_planes`: whether planes are read instead of rows. The picture must have planes.
cjpeg_status cjpeg_reader_start(cjpeg_reader *reader, bool gives_planes);

/// Reads the next part of the scans: a row of blocks, or the data between two scans.
///
/// `is_end`: set to true if the end of the file has been reached and the picture is complete.
cjpeg_status cjpeg_reader_read_scans(cjpeg_reader *reader, bool *is_end);

/// Returns the number of the scan that is being read or, between scans, was read last. The first scan is 1.
unsigned cjpeg_reader_scan(const cjpeg_reader *reader);

/// Returns the number of coefficients in the scans so far, including the current scan, counted as for
/// `cjpeg_scan_work`.
uint64_t cjpeg_reader_weight(const cjpeg_reader *reader);

/// Permits the output of the scans that were read completely before `cjpeg_reader_read_scans` failed. Fails again with
/// the same status if no scan is complete. After recovery, no further scans can be read.
cjpeg_status cjpeg_reader_recover(cjpeg_reader *reader);

/// Returns the number of the last complete scan, or 0 if there is none.
unsigned cjpeg_reader_ended_scan(const cjpeg_reader *reader);

/// Begins the output of a picture with several scans, in the quality of the scan with the number `scan`. That scan must
/// be complete, and the next scan must have begun unless `scan` is the last one. The data of the next scan that have
/// been read are used too.
cjpeg_status cjpeg_reader_start_output(cjpeg_reader *reader, unsigned scan);

/// Ends the output, which may have delivered any number of rows. More scans can be read afterward.
cjpeg_status cjpeg_reader_end_output(cjpeg_reader *reader);

/// Reads the next row: as opaque RGBA or, for a picture of inks, as cyan, magenta, yellow and black, from 0 for no ink
/// to 255 for full ink.
///
/// `row`: memory with room for four bytes per pixel, which may be modified even if no row is returned.
cjpeg_status cjpeg_reader_read_row(cjpeg_reader *reader, void *row);

/// Reads the next rows of each plane. `strips` has room for all planes.
cjpeg_status cjpeg_reader_read_planes(cjpeg_reader *reader, cjpeg_strip *strips);

/// Returns libjpeg-turbo's error message; empty if there was no error. The message belongs to the reader.
const char *cjpeg_reader_message(const cjpeg_reader *reader);

void cjpeg_reader_free(cjpeg_reader *reader);

/// The amount of work that reading the scans of a file takes.
typedef struct cjpeg_scan_work {
    size_t scan_count;
    /// The number of coefficients in all scans. A scan counts its coefficients for each block in it, and at least eight
    /// for each block. With arithmetic coding, each coefficient counts twice.
    uint64_t weight;
} cjpeg_scan_work;

/// Returns the work of reading the scans of a file. The scans are found by their markers, without decoding. The reader
/// must have read the header.
///
/// `most_scans`, `most_weight`: the limits. Counting ends at the first scan that exceeds one of them.
cjpeg_scan_work cjpeg_reader_weigh_scans(
    const cjpeg_reader *reader, const void *bytes, size_t count, size_t most_scans, uint64_t most_weight);

/// libjpeg's compressor, which writes to memory.
typedef struct cjpeg_writer cjpeg_writer;

/// The format of the pixels that are passed to a writer: red, green, blue and alpha in native byte order.
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
    /// Whether every pixel is opaque, or alpha is to be ignored. Otherwise the picture is composited over the
    /// background.
    bool is_opaque;
    /// The background behind transparent pixels: red, green and blue.
    uint8_t background[3];
    /// Whether to write one channel of gray. In that case, red, green and blue must be equal in every pixel.
    bool is_gray;
    bool is_progressive;
    /// Whether Huffman codes are computed from all coefficients of this picture. If `is_progressive` is true, they are
    /// always computed.
    bool has_own_tables;
    /// Whether to write only the segments that decoding needs, as in thumbnails within EXIF blocks.
    bool is_bare;
    /// The quality, from 1 to 100.
    int quality;
    /// The number of neighboring pixels in a row that share a chroma sample: 1 or 2.
    int horizontal_factor;
    /// The number of neighboring pixels in a column that share a chroma sample: 1 or 2.
    int vertical_factor;
} cjpeg_picture;

/// Creates a writer. Returns NULL if there is not enough memory.
cjpeg_writer *cjpeg_writer_create(void);

/// Writes the start of a file. Call this first.
cjpeg_status cjpeg_writer_start(cjpeg_writer *writer, const cjpeg_picture *picture);

/// Embeds an EXIF block, which begins with its byte order mark. Call this before other metadata are embedded and before
/// the first row is written.
cjpeg_status cjpeg_writer_write_exif(cjpeg_writer *writer, const void *block, size_t length);

/// Embeds an XMP packet. Call this before the first row.
cjpeg_status cjpeg_writer_write_xmp(cjpeg_writer *writer, const void *packet, size_t length);

/// Embeds an ICC profile without checking it. Call this before the first row.
cjpeg_status cjpeg_writer_write_profile(cjpeg_writer *writer, const void *profile, size_t length);

/// Writes the next rows. `row_length`: the distance between the starts of two rows, in bytes.
cjpeg_status cjpeg_writer_write_rows(cjpeg_writer *writer, const void *rows, size_t row_length, size_t count);

/// Ends the file and returns its bytes, which the caller releases with free(). For a picture with several scans or
/// computed Huffman codes, this is most of the work.
///
/// `should_stop`: a function that is called repeatedly with `context`. If it returns true, writing fails with
/// `CJPEG_STOPPED`.
cjpeg_status cjpeg_writer_finish(
    cjpeg_writer *writer, bool (*should_stop)(const void *context), const void *context, void **bytes, size_t *count);

/// Returns libjpeg-turbo's error message; empty if there was no error. The message belongs to the writer.
const char *cjpeg_writer_message(const cjpeg_writer *writer);

void cjpeg_writer_free(cjpeg_writer *writer);

#endif
