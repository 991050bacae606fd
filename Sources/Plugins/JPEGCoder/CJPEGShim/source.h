// Where a reader has its bytes from: all of them in the caller's memory, or those so far in memory of its own.
#ifndef CJPEG_SOURCE_H
#define CJPEG_SOURCE_H

#include "problem.h"

/// libjpeg's source manager, which is what it begins with.
typedef struct cjpeg_source {
    struct jpeg_source_mgr manager;
    /// Whether the last byte is there.
    bool is_complete;
    /// Bytes that are still to come and of no interest.
    size_t skipped;
    /// The marker behind the data of a scan that libjpeg must not see, with all that follows; NULL where nothing is
    /// held back.
    const JOCTET *held_back;
    size_t held_back_count;
    /// How many zeros libjpeg was given in place of data that are not there, and how many it may be.
    size_t zero_count;
    size_t zero_limit;
    /// Memory for bytes that were appended; NULL when they are the caller's.
    uint8_t *tail;
    size_t capacity;
} cjpeg_source;

/// Sets the source up as a source manager. Whose bytes they are is for the caller to say.
struct jpeg_source_mgr *cjpeg_source_install(cjpeg_source *source);

/// Copies bytes behind those that have not been read yet. False when there is no memory.
bool cjpeg_source_append(cjpeg_source *source, const void *bytes, size_t count);

/// Prepares for the data of a scan. Of one that is arithmetically coded and ends with a marker, libjpeg gets the data
/// alone and then zeros, which are counted: behind a marker it would make up any number of them without a word. Fails
/// while they are read, where there are too many for zeros that an encoder leaves out.
void cjpeg_source_begin_scan(cjpeg_source *source, j_decompress_ptr jpeg);

/// Shows libjpeg what follows the data of a scan.
void cjpeg_source_end_scan(cjpeg_source *source);

void cjpeg_source_free(cjpeg_source *source);

#endif
