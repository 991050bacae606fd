#include "CJPEGShim.h"

#ifdef CALOTYPE_JPEG

#include "source.h"

#include <stdlib.h>
#include <string.h>

/// libjpeg's functions for the beginning and the end, which do nothing.
static void do_nothing(j_decompress_ptr jpeg) {
    (void)jpeg;
}

static cjpeg_source *source_of(j_decompress_ptr jpeg) {
    return jpeg->client_data;
}

/// Passes a zero to libjpeg in place of missing data, and installs the other of the two source managers, which libjpeg
/// asks for the next byte.
static void give_zero(j_decompress_ptr jpeg, struct jpeg_source_mgr *asked) {
    static const JOCTET zero[] = {0};
    cjpeg_source *source = source_of(jpeg);
    if (++source->zero_count > source->zero_limit) {
        cjpeg_fail((j_common_ptr)jpeg, CJPEG_REFUSED, "Arithmetically coded data are missing");
    }
    asked->next_input_byte = zero;
    asked->bytes_in_buffer = sizeof zero;
    jpeg->src = asked == &source->manager ? &source->other : &source->manager;
    jpeg->src->bytes_in_buffer = 0;
}

/// Returns whether a marker is a restart marker, which separates two intervals of a scan.
static bool is_restart(j_decompress_ptr jpeg, JOCTET marker) {
    return jpeg->restart_interval > 0 && marker >= JPEG_RST0 && marker < JPEG_RST0 + 8;
}

static void hold_back(cjpeg_source *source, j_decompress_ptr jpeg, const JOCTET *start, size_t count);

/// Passes the held-back marker to libjpeg, and after a restart marker also the data of the next interval.
static void give_marker(j_decompress_ptr jpeg, struct jpeg_source_mgr *asked) {
    cjpeg_source *source = source_of(jpeg);
    const JOCTET *marker = source->held_back;
    size_t count = source->held_back_count;
    jpeg->src = asked;
    asked->next_input_byte = marker;
    asked->bytes_in_buffer = count;
    source->held_back = NULL;
    const JOCTET *code = marker;
    while (*code == 0xFF) code++;
    if (is_restart(jpeg, *code)) hold_back(source, jpeg, code + 1, count - (size_t)(code + 1 - marker));
}

/// Provides more bytes. FALSE makes libjpeg return to the last position from which it can resume. `asked`: the source
/// manager that libjpeg uses.
///
/// Before a restart, two functions of libjpeg request bytes after the data of an interval. First the decoder of
/// coefficients receives zeros, which are counted. Then the reader of markers skips the zeros and needs the marker. The
/// decoder looks up the source manager for each byte, the reader of markers only once for each marker. Since the
/// installed source manager changes after each zero, only the reader of markers uses one that is not installed.
static boolean provide(j_decompress_ptr jpeg, struct jpeg_source_mgr *asked) {
    static const JOCTET end[] = {0xFF, JPEG_EOI};
    cjpeg_source *source = source_of(jpeg);
    cjpeg_problem *problem = (cjpeg_problem *)jpeg->err;
    if (!source->is_complete) return FALSE;
    if (source->held_back != NULL) {
        if (jpeg->src == asked) {
            give_zero(jpeg, asked);
        } else {
            give_marker(jpeg, asked);
        }
        return TRUE;
    }
    // A file may lack its end marker, which is generated here. Reading beyond it means that data are missing. With
    // arithmetic coding no marker is generated: after a marker the decoder assumes any number of zeros, which encoders
    // may omit, and never reports missing data.
    if (problem->is_past_end || jpeg->arith_code) cjpeg_fail((j_common_ptr)jpeg, CJPEG_ENDED, "the bytes end");
    problem->is_past_end = true;
    asked->next_input_byte = end;
    asked->bytes_in_buffer = sizeof end;
    return TRUE;
}

static boolean fill(j_decompress_ptr jpeg) {
    return provide(jpeg, &source_of(jpeg)->manager);
}

static boolean fill_other(j_decompress_ptr jpeg) {
    return provide(jpeg, &source_of(jpeg)->other);
}

/// libjpeg's function for skipping bytes.
static void skip(j_decompress_ptr jpeg, long count) {
    cjpeg_source *source = source_of(jpeg);
    struct jpeg_source_mgr *manager = jpeg->src;
    if (count <= 0) return;
    size_t wanted = (size_t)count;
    size_t there = wanted < manager->bytes_in_buffer ? wanted : manager->bytes_in_buffer;
    manager->next_input_byte += there;
    manager->bytes_in_buffer -= there;
    if (!source->is_complete) source->skipped = wanted - there;
}

void cjpeg_source_install(cjpeg_source *source, j_decompress_ptr jpeg) {
    source->manager.init_source = do_nothing;
    source->manager.fill_input_buffer = fill;
    source->manager.skip_input_data = skip;
    source->manager.resync_to_restart = jpeg_resync_to_restart;
    source->manager.term_source = do_nothing;
    source->other = source->manager;
    source->other.fill_input_buffer = fill_other;
    jpeg->client_data = source;
    jpeg->src = &source->manager;
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
        // Doubling the capacity limits the number of copies.
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

/// Returns the address of the marker that ends the data of a scan or of an interval between restarts: its first 0xFF
/// byte. Returns NULL if the bytes end before such a marker.
static const JOCTET *end_of_data(const JOCTET *next, size_t count) {
    const JOCTET *end = next + count;
    while (next < end && (next = memchr(next, 0xFF, (size_t)(end - next))) != NULL) {
        const JOCTET *start = next;
        while (next < end && *next == 0xFF) next++;
        if (next == end) return NULL;
        // In the data, 0xFF is followed by 0.
        if (*next != 0) return start;
    }
    return NULL;
}

/// Returns the maximum number of zero bytes that an encoder may omit at the end of a scan or of an interval between
/// restarts. An encoder omits all zeros there. Source: ITU-T T.81, annex D.1.8.
///
/// The format has no rule to distinguish omitted zeros from missing data, but the probabilities of arithmetic coding
/// adapt to the data. Predictable blocks, such as a margin of one color, need some bytes for each component until they
/// are learned, and then a bit for thousands of blocks. A bit that cannot be predicted is 1 as often as 0.
///
/// The numbers are measured. cjpeg wrote some 20,000 scans and a million intervals of noise, gradients, pages and plain
/// colors, none of which omitted more zeros. Of 10,000 files of small tiles, each repeated over the whole picture, one
/// in a thousand omitted more.
///
/// `count`: the number of bytes of data. `blocks`: the number of blocks in the data.
static size_t most_zeros(j_decompress_ptr jpeg, size_t count, size_t blocks) {
    bool is_of_averages = !jpeg->progressive_mode || jpeg->Ss == 0;
    bool is_refinement = jpeg->progressive_mode && jpeg->Ah > 0;
    bool is_nearly_empty = count < 32 + blocks / 8;
    // The first decisions have even probabilities, so many blocks need data whatever they contain. This also applies to
    // refinements, except that of the average, whose bits may all be 0.
    if (count == 0 && !is_of_averages && blocks > 1024) return 0;
    // A refinement has bits that are not predicted and may be 0 in all blocks of some patterns: for the average always,
    // for other coefficients only if the scan has almost no data. No block takes more.
    if (is_refinement && (is_of_averages || is_nearly_empty)) return blocks * DCTSIZE2;
    // The first decisions have even probabilities, so a few blocks need data whatever they contain. By chance, up to
    // three blocks of averages need none. For other coefficients, a block whose code happens to be zeros may be
    // followed by empty blocks.
    if (count == 0 && is_of_averages && blocks > (jpeg->progressive_mode ? 8 : 4)) return 0;
    if (count == 0 && !is_of_averages) return 12;
    // A few blocks offer little to predict, complete blocks least of all. Among parts of blocks in progressive scans,
    // periodic patterns take the most once the period is learned.
    size_t learning = 24 + 8 * (size_t)jpeg->comps_in_scan + blocks / 256;
    if (learning > 128) learning = 128;
    if (blocks > (jpeg->progressive_mode ? 64 : 128)) learning = 128 + (blocks < 384 * 16 ? blocks / 16 : 384);
    size_t few = 12 + (jpeg->progressive_mode ? blocks : blocks / 2);
    if (learning > few) learning = few;
    // Signs are not predicted either, and are 0 in all blocks of some patterns.
    if (!is_of_averages && is_nearly_empty) learning += blocks;
    return learning + blocks / 65536;
}

/// Holds back the marker that ends the data of the next interval between restarts, or of a scan without restarts.
/// `start`: the first byte of the data. `count`: the number of bytes from `start` to the end of the file.
static void hold_back(cjpeg_source *source, j_decompress_ptr jpeg, const JOCTET *start, size_t count) {
    size_t unit_count = source->unit_count;
    if (jpeg->restart_interval > 0 && unit_count > jpeg->restart_interval) unit_count = jpeg->restart_interval;
    source->unit_count -= unit_count;
    source->zero_count = 0;
    const JOCTET *end = end_of_data(start, count);
    // If the bytes end before a marker, data are missing anyway.
    if (end == NULL) return;
    size_t data_count = (size_t)(end - start);
    source->held_back = end;
    source->held_back_count = count - data_count;
    jpeg->src->bytes_in_buffer -= source->held_back_count;
    source->zero_limit = most_zeros(jpeg, data_count, unit_count * (size_t)jpeg->blocks_in_MCU);
    // The reader of markers skips one zero that the decoder does not use.
    if (source->unit_count > 0) source->zero_limit++;
}

void cjpeg_source_begin_scan(cjpeg_source *source, j_decompress_ptr jpeg) {
    if (!jpeg->arith_code) return;
    source->unit_count = (size_t)jpeg->MCUs_per_row * jpeg->MCU_rows_in_scan;
    hold_back(source, jpeg, source->manager.next_input_byte, source->manager.bytes_in_buffer);
}

void cjpeg_source_end_scan(cjpeg_source *source, j_decompress_ptr jpeg) {
    if (jpeg->src == &source->other) {
        source->manager.next_input_byte = source->other.next_input_byte;
        source->manager.bytes_in_buffer = source->other.bytes_in_buffer;
        jpeg->src = &source->manager;
    }
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
