#include "CJPEGShim.h"

#ifdef CALOTYPE_JPEG

#include "source.h"

#include <stdlib.h>
#include <string.h>

/// libjpeg's functions for the beginning and the end, where there is nothing to do.
static void do_nothing(j_decompress_ptr jpeg) {
    (void)jpeg;
}

/// Gives libjpeg a zero in place of data that are not there.
static void give_zero(j_decompress_ptr jpeg) {
    static const JOCTET zero[] = {0};
    cjpeg_source *source = (cjpeg_source *)jpeg->src;
    if (++source->zero_count > source->zero_limit) {
        cjpeg_fail((j_common_ptr)jpeg, CJPEG_REFUSED, "Arithmetically coded data are missing");
    }
    source->manager.next_input_byte = zero;
    source->manager.bytes_in_buffer = sizeof zero;
}

/// libjpeg's function for more bytes. FALSE makes it go back to the last place where it can begin again, and return.
static boolean fill(j_decompress_ptr jpeg) {
    static const JOCTET end[] = {0xFF, JPEG_EOI};
    cjpeg_source *source = (cjpeg_source *)jpeg->src;
    cjpeg_problem *problem = (cjpeg_problem *)jpeg->err;
    if (!source->is_complete) return FALSE;
    if (source->held_back != NULL) {
        give_zero(jpeg);
        return TRUE;
    }
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

/// The first of the bytes 0xFF before the marker that ends the data of a scan; NULL where the bytes end before it.
static const JOCTET *end_of_data(j_decompress_ptr jpeg) {
    const JOCTET *next = jpeg->src->next_input_byte;
    const JOCTET *end = next + jpeg->src->bytes_in_buffer;
    while (next < end && (next = memchr(next, 0xFF, (size_t)(end - next))) != NULL) {
        const JOCTET *start = next;
        while (next < end && *next == 0xFF) next++;
        if (next == end) return NULL;
        // A byte of data is followed by 0.
        bool is_restart = jpeg->restart_interval > 0 && *next >= JPEG_RST0 && *next < JPEG_RST0 + 8;
        if (*next != 0 && !is_restart) return start;
    }
    return NULL;
}

/// How many zeros an encoder may have left out at the end of a scan, in bytes. It leaves out all of them. Source: ITU-T
/// T.81, annex D.1.8.
///
/// No rule of the format tells them from data that are missing, but the decoder learns. Blocks that it foresees, such
/// as a margin of one colour, cost some bytes for each component until they are learned, and then a bit for thousands
/// of blocks; a bit of what cannot be foreseen is 1 as often as 0. The numbers are measured: of some 20,000 scans that
/// cjpeg wrote of noise, gradients, patterns, pages and plain colours, none left out more than is allowed here.
static size_t most_zeros(j_decompress_ptr jpeg, size_t count) {
    size_t blocks = (size_t)jpeg->MCUs_per_row * jpeg->MCU_rows_in_scan * (size_t)jpeg->blocks_in_MCU;
    // A refinement has bits that are not foreseen, and are 0 in all blocks of some patterns: of the average always, of
    // the rest where the scan has next to no data. No block takes more.
    bool is_refinement = jpeg->progressive_mode && jpeg->Ah > 0;
    if (is_refinement && (jpeg->Ss == 0 || count < 32 + blocks / 16)) return blocks * DCTSIZE2;
    // The first decisions are even, so that a few blocks take data whatever is in them.
    if (count == 0 && blocks > 16) return 0;
    size_t learning = 24 + 8 * (size_t)jpeg->comps_in_scan + blocks / 256;
    return (learning < 128 ? learning : 128) + blocks / 65536;
}

void cjpeg_source_begin_scan(cjpeg_source *source, j_decompress_ptr jpeg) {
    if (!jpeg->arith_code) return;
    source->zero_count = 0;
    const JOCTET *start = source->manager.next_input_byte;
    const JOCTET *end = end_of_data(jpeg);
    // Where the bytes end before a marker they are missing anyway.
    if (end == NULL) return;
    source->held_back = end;
    source->held_back_count = source->manager.bytes_in_buffer - (size_t)(end - start);
    source->manager.bytes_in_buffer = (size_t)(end - start);
    source->zero_limit = most_zeros(jpeg, (size_t)(end - start));
}

void cjpeg_source_end_scan(cjpeg_source *source) {
    if (source->held_back == NULL) return;
    if (source->zero_count > 0) {
        source->manager.next_input_byte = source->held_back;
        source->manager.bytes_in_buffer = 0;
    }
    source->manager.bytes_in_buffer += source->held_back_count;
    source->held_back = NULL;
}

void cjpeg_source_free(cjpeg_source *source) {
    free(source->tail);
}

#endif
