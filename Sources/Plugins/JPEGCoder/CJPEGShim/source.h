// Where a reader has its bytes from: all of them in the caller's memory, or those so far in memory of its own.
#ifndef CJPEG_SOURCE_H
#define CJPEG_SOURCE_H

#include "problem.h"

/// libjpeg's source manager, which is what it begins with.
typedef struct cjpeg_source {
    struct jpeg_source_mgr manager;
    /// Takes turns with the first while libjpeg is given zeros. Has the bytes where libjpeg has it as its source.
    struct jpeg_source_mgr other;
    /// Whether the last byte is there.
    bool is_complete;
    /// Bytes that are still to come and of no interest.
    size_t skipped;
    /// The marker behind the data of a scan, or of an interval between restarts, with all that follows; NULL where
    /// nothing is held back from libjpeg.
    const JOCTET *held_back;
    size_t held_back_count;
    /// How many units (MCUs) of the scan follow the interval that is being read.
    size_t unit_count;
    /// How many zeros libjpeg was given in place of missing data of the interval, and how many it may be given.
    size_t zero_count;
    size_t zero_limit;
    /// Memory for bytes that were appended; NULL when they are the caller's.
    uint8_t *tail;
    size_t capacity;
} cjpeg_source;

/// Makes the source libjpeg's, and takes its `client_data`. Whose bytes they are is for the caller to say.
void cjpeg_source_install(cjpeg_source *source, j_decompress_ptr jpeg);

/// Copies bytes behind those that have not been read yet. False when there is no memory.
bool cjpeg_source_append(cjpeg_source *source, const void *bytes, size_t count);

/// Prepares for the data of a scan. Where it is arithmetically coded, libjpeg is given the data up to the next marker
/// and then counted zeros: behind a marker it would make up any number of them without a warning. Reading fails when
/// they are more than an encoder leaves out. Each interval between restarts is judged by itself.
void cjpeg_source_begin_scan(cjpeg_source *source, j_decompress_ptr jpeg);

/// Shows libjpeg what follows the data of a scan.
void cjpeg_source_end_scan(cjpeg_source *source, j_decompress_ptr jpeg);

void cjpeg_source_free(cjpeg_source *source);

#endif
