#include "CJPEGShim.h"

#ifdef CALOTYPE_JPEG

#include "source.h"

#include <stdlib.h>
#include <string.h>

/// libjpeg's functions for the beginning and the end, where there is nothing to do.
static void do_nothing(j_decompress_ptr jpeg) {
    (void)jpeg;
}

/// libjpeg's function for more bytes. FALSE makes it go back to the last place where it can begin again, and return.
static boolean fill(j_decompress_ptr jpeg) {
    static const JOCTET end[] = {0xFF, JPEG_EOI};
    cjpeg_source *source = (cjpeg_source *)jpeg->src;
    cjpeg_problem *problem = (cjpeg_problem *)jpeg->err;
    if (!source->is_complete) return FALSE;
    // A file may lack the marker for its end. Whoever reads on behind that was in the middle of something. Not so where
    // it is arithmetically coded: behind a marker the decoder goes on with zeros, of which any number may rightly be
    // left out, makes blocks of them, and never says that something is missing.
    if (problem->is_past_end || jpeg->arith_code) cjpeg_fail((j_common_ptr)jpeg, CJPEG_ENDED, "the bytes end");
    problem->is_past_end = true;
    source->manager.next_input_byte = end;
    source->manager.bytes_in_buffer = sizeof end;
    return TRUE;
}

/// libjpeg's function for what it does not want to see.
static void skip(j_decompress_ptr jpeg, long count) {
    cjpeg_source *source = (cjpeg_source *)jpeg->src;
    if (count <= 0) return;
    size_t wanted = (size_t)count;
    size_t there = wanted < source->manager.bytes_in_buffer ? wanted : source->manager.bytes_in_buffer;
    source->manager.next_input_byte += there;
    source->manager.bytes_in_buffer -= there;
    if (!source->is_complete) source->skipped = wanted - there;
}

struct jpeg_source_mgr *cjpeg_source_install(cjpeg_source *source) {
    source->manager.init_source = do_nothing;
    source->manager.fill_input_buffer = fill;
    source->manager.skip_input_data = skip;
    source->manager.resync_to_restart = jpeg_resync_to_restart;
    source->manager.term_source = do_nothing;
    return &source->manager;
}

bool cjpeg_source_append(cjpeg_source *source, const void *bytes, size_t count) {
    size_t dropped = count < source->skipped ? count : source->skipped;
    source->skipped -= dropped;
    count -= dropped;
    if (count == 0) return true;
    size_t left = source->manager.bytes_in_buffer;
    if (count > SIZE_MAX / 2 - left) return false;
    uint8_t *tail = source->tail;
    if (left + count > source->capacity) {
        // Twice what is needed, so that all bytes together are copied only a few times.
        size_t capacity = (left + count) * 2;
        tail = malloc(capacity);
        if (tail == NULL) return false;
        source->capacity = capacity;
    }
    if (left > 0 && tail != source->manager.next_input_byte) memmove(tail, source->manager.next_input_byte, left);
    memcpy(tail + left, (const uint8_t *)bytes + dropped, count);
    if (tail != source->tail) free(source->tail);
    source->tail = tail;
    source->manager.next_input_byte = tail;
    source->manager.bytes_in_buffer = left + count;
    return true;
}

void cjpeg_source_free(cjpeg_source *source) {
    free(source->tail);
}

#endif
