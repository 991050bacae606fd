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
    /// Memory for bytes that were appended; NULL when they are the caller's.
    uint8_t *tail;
    size_t capacity;
} cjpeg_source;

/// Sets the source up as a source manager. Whose bytes they are is for the caller to say.
struct jpeg_source_mgr *cjpeg_source_install(cjpeg_source *source);

/// Copies bytes behind those that have not been read yet. False when there is no memory.
bool cjpeg_source_append(cjpeg_source *source, const void *bytes, size_t count);

void cjpeg_source_free(cjpeg_source *source);

#endif
