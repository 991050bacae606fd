// The source of a reader's bytes: all bytes in the caller's memory, or those so far in its own memory.
#ifndef CJPEG_SOURCE_H
#define CJPEG_SOURCE_H

#include "problem.h"

/// The byte source, which begins with libjpeg's source manager.
typedef struct cjpeg_source {
    struct jpeg_source_mgr manager;
    /// The second source manager. It alternates with the first one while libjpeg receives zeros. The installed one has
    /// the bytes.
    struct jpeg_source_mgr other;
    /// Whether the last byte is present.
    bool is_complete;
    /// The number of future bytes to skip.
    size_t skipped;
    /// The marker after the data of a scan or of an interval between restarts, with all bytes after it; NULL if nothing
    /// is held back from libjpeg.
    const JOCTET *held_back;
    size_t held_back_count;
    /// The number of MCUs of the scan after the current interval.
    size_t unit_count;
    /// The number of zeros passed to libjpeg in place of missing data of the interval, and the maximum.
    size_t zero_count;
    size_t zero_limit;
    /// The memory for appended bytes; NULL if the bytes belong to the caller.
    uint8_t *tail;
    size_t capacity;
} cjpeg_source;

/// Installs the source in libjpeg and uses its `client_data`. The caller provides the bytes.
void cjpeg_source_install(cjpeg_source *source, j_decompress_ptr jpeg);

/// Appends bytes to those that were not read yet. Returns false if there is no memory.
bool cjpeg_source_append(cjpeg_source *source, const void *bytes, size_t count);

/// Prepares for the data of a scan.
///
/// With arithmetic coding, libjpeg receives the data up to the next marker and then counted zeros, because after a
/// marker it would assume any number of them without a warning. Reading fails if there are more than an encoder omits.
/// Each interval between restarts is checked separately.
void cjpeg_source_begin_scan(cjpeg_source *source, j_decompress_ptr jpeg);

/// Makes the bytes after the data of a scan available to libjpeg.
void cjpeg_source_end_scan(cjpeg_source *source, j_decompress_ptr jpeg);

void cjpeg_source_free(cjpeg_source *source);

#endif
