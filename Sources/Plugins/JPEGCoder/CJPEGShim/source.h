// The source of a reader's bytes: all bytes in the caller's memory, or those so far in its own memory.
#ifndef CJPEG_SOURCE_H
#define CJPEG_SOURCE_H

#include "problem.h"

/// The source of the bytes of a file. It begins with the source manager that libjpeg uses.
typedef struct cjpeg_source {
    struct jpeg_source_mgr manager;
    /// The second source manager. While libjpeg receives zeros, the two source managers take turns. The one that is
    /// installed in libjpeg has the bytes.
    struct jpeg_source_mgr other;
    /// Whether the last byte of the file has arrived.
    bool is_complete;
    /// The number of bytes to skip among those that have not arrived.
    size_t skipped;
    /// The marker after the data of a scan or of an interval between restarts, followed by all later bytes; NULL if no
    /// bytes are held back from libjpeg.
    const JOCTET *held_back;
    size_t held_back_count;
    /// The number of MCUs in the scan that follow the current interval.
    size_t unit_count;
    /// The number of zeros that were passed to libjpeg in place of missing data of the current interval.
    size_t zero_count;
    /// The maximum of `zero_count`. With more zeros, data are missing.
    size_t zero_limit;
    /// The memory for appended bytes; NULL if the bytes belong to the caller.
    uint8_t *tail;
    size_t capacity;
} cjpeg_source;

/// Installs the source in libjpeg, whose `client_data` then points to the source. The caller provides the bytes.
void cjpeg_source_install(cjpeg_source *source, j_decompress_ptr jpeg);

/// Appends bytes to those that libjpeg has not read yet. Returns false if there is not enough memory.
bool cjpeg_source_append(cjpeg_source *source, const void *bytes, size_t count);

/// Prepares for the data of a scan.
///
/// With arithmetic coding, libjpeg receives the data up to the next marker, followed by zeros that are counted.
/// Otherwise libjpeg itself would assume any number of zeros after a marker, without a warning. Reading fails if there
/// are more zeros than an encoder omits. Each interval between restarts is checked separately.
void cjpeg_source_begin_scan(cjpeg_source *source, j_decompress_ptr jpeg);

/// Passes the bytes after the data of a scan to libjpeg.
void cjpeg_source_end_scan(cjpeg_source *source, j_decompress_ptr jpeg);

void cjpeg_source_free(cjpeg_source *source);

#endif
