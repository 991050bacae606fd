#include "CJPEGShim.h"

#ifdef CALOTYPE_JPEG

#include "header.h"
#include "metadata.h"
#include "planes.h"
#include "problem.h"
#include "source.h"

#include <stdlib.h>
#include <string.h>

struct cjpeg_reader {
    /// The decompressor. It is the first field, so that a pointer to the decompressor is also a pointer to the reader.
    struct jpeg_decompress_struct jpeg;
    cjpeg_problem problem;
    cjpeg_source source;
    cjpeg_metadata metadata;
    cjpeg_planes planes;
    cjpeg_frame frame;
    bool is_inverted;
    /// The channels that occurred in a scan, as bits.
    unsigned seen;
    /// The number of complete scans.
    int scan_count;
    /// The number of coefficients in the scans so far, including the current scan, counted as for `cjpeg_scan_work`.
    uint64_t weight;
    /// The number of missing bits of each coefficient, by channel: first the current numbers of all channels, then
    /// those at the end of the last complete scan.
    int missing[2 * MAX_COMPONENTS][DCTSIZE2];
    /// A buffer in `row_memory` for a row of a small picture; NULL if libjpeg writes rows directly to the memory of the
    /// caller.
    uint8_t *row;
    uint8_t *row_memory;
};

/// The maximum size in bytes of a picture whose rows are decoded into a buffer and then copied.
///
/// If a row begins at a multiple of 32 bytes, libjpeg-turbo bypasses the processor's cache and waits for each row to
/// reach memory. For small pictures, a copy from a buffer at another address is faster.
static const size_t small_picture = 1 << 20;
static const size_t vector_length = 64;

/// libjpeg's function for an APP1 or APP2 segment. FALSE makes libjpeg repeat the call with more bytes.
static boolean take_segment(j_decompress_ptr jpeg) {
    cjpeg_reader *reader = (cjpeg_reader *)jpeg;
    struct jpeg_source_mgr *source = &reader->source.manager;
    const uint8_t *bytes = source->next_input_byte;
    // The length includes itself. An impossible length counts as 2, as in segments that libjpeg skips.
    size_t length = source->bytes_in_buffer < 2 ? 2 : (size_t)(bytes[0] << 8 | bytes[1]);
    if (length < 2) length = 2;
    if (source->bytes_in_buffer < length) {
        if (!reader->source.is_complete) return FALSE;
        cjpeg_fail((j_common_ptr)jpeg, CJPEG_ENDED, "a segment is longer than the rest of the bytes");
    }
    cjpeg_metadata_take(&reader->metadata, jpeg, bytes + 2, length - 2);
    source->next_input_byte += length;
    source->bytes_in_buffer -= length;
    return TRUE;
}

/// Creates a reader without bytes.
static cjpeg_reader *create(void) {
    cjpeg_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return NULL;
    reader->jpeg.err = cjpeg_install(&reader->problem);
    // The first function that is called reports a failure here.
    if (setjmp(reader->problem.entry)) return reader;
    jpeg_create_decompress(&reader->jpeg);
    // The environment variable JPEGMEM is ignored, because there is no backing store.
    reader->jpeg.mem->max_memory_to_use = 0;
    cjpeg_source_install(&reader->source, &reader->jpeg);
    return reader;
}

cjpeg_reader *cjpeg_reader_create(const void *bytes, size_t count) {
    cjpeg_reader *reader = create();
    if (reader == NULL) return NULL;
    reader->source.manager.next_input_byte = bytes;
    reader->source.manager.bytes_in_buffer = count;
    reader->source.is_complete = true;
    return reader;
}

void cjpeg_reader_move(cjpeg_reader *reader, const void *bytes, size_t count) {
    // After the end libjpeg reads bytes from the shim.
    if (reader->problem.is_past_end) return;
    struct jpeg_source_mgr *manager = &reader->source.manager;
    manager->next_input_byte = (const JOCTET *)bytes + (count - manager->bytes_in_buffer);
}

cjpeg_reader *cjpeg_reader_create_growing(void) {
    return create();
}

cjpeg_status cjpeg_reader_append(cjpeg_reader *reader, const void *bytes, size_t count, bool is_last) {
    if (reader->problem.status != CJPEG_OK) return reader->problem.status;
    if (setjmp(reader->problem.entry)) return reader->problem.status;
    if (!cjpeg_source_append(&reader->source, bytes, count)) {
        cjpeg_fail((j_common_ptr)&reader->jpeg, CJPEG_OUT_OF_MEMORY, "no memory for the bytes");
    }
    reader->source.is_complete = is_last;
    return CJPEG_OK;
}

cjpeg_status cjpeg_reader_keep_metadata(cjpeg_reader *reader, size_t profile_limit, bool keeps_xmp) {
    if (reader->problem.status != CJPEG_OK) return reader->problem.status;
    if (setjmp(reader->problem.entry)) return reader->problem.status;
    reader->metadata.profile_limit = profile_limit;
    reader->metadata.keeps_xmp = keeps_xmp;
    jpeg_set_marker_processor(&reader->jpeg, JPEG_APP0 + 1, take_segment);
    jpeg_set_marker_processor(&reader->jpeg, JPEG_APP0 + 2, take_segment);
    return CJPEG_OK;
}

/// Configures the output as djpeg, the tool of libjpeg-turbo, does in its exact mode.
static void choose_output(j_decompress_ptr jpeg) {
    jpeg->dct_method = JDCT_ISLOW;
    jpeg->do_fancy_upsampling = TRUE;
    jpeg->do_block_smoothing = TRUE;
    jpeg->buffered_image = jpeg_has_multiple_scans(jpeg);
    switch (jpeg->jpeg_color_space) {
        case JCS_GRAYSCALE:
        case JCS_YCbCr:
        case JCS_RGB: jpeg->out_color_space = JCS_EXT_RGBA; break;
        // CMYK also has four bytes per pixel.
        case JCS_CMYK:
        case JCS_YCCK: jpeg->out_color_space = JCS_CMYK; break;
        default: {
            char message[64];
            snprintf(message, sizeof message, "%d channels of unknown meaning", jpeg->num_components);
            cjpeg_fail((j_common_ptr)jpeg, CJPEG_UNSUPPORTED, message);
        }
    }
}

cjpeg_status cjpeg_reader_read_header(cjpeg_reader *reader, cjpeg_header *header) {
    if (reader->problem.status != CJPEG_OK) return reader->problem.status;
    j_decompress_ptr jpeg = &reader->jpeg;
    if (setjmp(reader->problem.entry)) return reader->problem.status;
    memset(header, 0, sizeof *header);
    bool is_read = jpeg_read_header(jpeg, TRUE) != JPEG_SUSPENDED;
    if (!is_read && !cjpeg_header_foretell(jpeg, header)) return CJPEG_WAITING;
    cjpeg_metadata_describe(&reader->metadata, jpeg, header);
    if (!is_read) {
        header->is_foretold = true;
        return CJPEG_WAITING;
    }
    choose_output(jpeg);
    // Later segments are not needed; libjpeg skips them unread.
    jpeg_save_markers(jpeg, JPEG_APP0 + 1, 0);
    jpeg_save_markers(jpeg, JPEG_APP0 + 2, 0);
    cjpeg_header_describe(jpeg, header);
    reader->frame = cjpeg_frame_of(jpeg);
    // Adobe stores inverted inks, and so do other programs that write Adobe's marker.
    reader->is_inverted = jpeg->out_color_space == JCS_CMYK && jpeg->saw_Adobe_marker;
    return CJPEG_OK;
}

cjpeg_status cjpeg_reader_set_divisor(cjpeg_reader *reader, unsigned divisor, cjpeg_output *output) {
    if (reader->problem.status != CJPEG_OK) return reader->problem.status;
    if (setjmp(reader->problem.entry)) return reader->problem.status;
    reader->jpeg.scale_num = 1;
    reader->jpeg.scale_denom = divisor;
    jpeg_calc_output_dimensions(&reader->jpeg);
    output->width = reader->jpeg.output_width;
    output->height = reader->jpeg.output_height;
    cjpeg_planes_describe(&reader->jpeg, output);
    return CJPEG_OK;
}

/// Returns the work of reading a scan, as a number of coefficients.
///
/// Each block in the scan counts as the coefficients that the scan has of it, and as at least eight, because decoding
/// visits every block. The result is doubled for arithmetic coding, which takes twice as long. `first`, `last`: the
/// range of coefficients in the header of a progressive scan.
static uint64_t weight(const cjpeg_reader *reader, uint64_t blocks, int first, int last) {
    int count = reader->jpeg.progressive_mode ? last - first + 1 : DCTSIZE2;
    if (count < 8) count = 8;
    return blocks * (uint64_t)count * (reader->jpeg.arith_code ? 2 : 1);
}

/// Records which channels the new scan contains, and prepares for its data.
static void begin_scan(cjpeg_reader *reader) {
    j_decompress_ptr jpeg = &reader->jpeg;
    for (int index = 0; index < jpeg->comps_in_scan; index++) {
        reader->seen |= 1u << jpeg->cur_comp_info[index]->component_index;
    }
    uint64_t blocks = (uint64_t)jpeg->MCUs_per_row * jpeg->MCU_rows_in_scan * (uint64_t)jpeg->blocks_in_MCU;
    reader->weight += weight(reader, blocks, jpeg->Ss, jpeg->Se);
    cjpeg_source_begin_scan(&reader->source, jpeg);
}

/// The maximum number of zeros at the end of the last scan if further scans may be missing. More zeros mean that the
/// scan is incomplete. Encoders seldom omit more than two.
static const size_t most_zeros_of_coarse = 4;

/// Fails if a channel was in no scan, or if coefficients are missing without a good reason.
///
/// A file with an end marker may have any quality. If the end marker is missing, or the last scan seems to be
/// incomplete, all coefficients must be exact, because further scans may be missing.
static void check_completeness(cjpeg_reader *reader) {
    j_decompress_ptr jpeg = &reader->jpeg;
    cjpeg_status status = reader->problem.is_past_end ? CJPEG_ENDED : CJPEG_REFUSED;
    bool must_be_exact = reader->problem.is_past_end || reader->source.zero_count > most_zeros_of_coarse;
    for (int channel = 0; channel < jpeg->num_components; channel++) {
        bool is_missing = (reader->seen >> channel & 1) == 0;
        if (jpeg->coef_bits != NULL) {
            // The number of missing bits of each coefficient; negative if all are missing.
            const int *bits = jpeg->coef_bits[channel];
            is_missing = is_missing || bits[0] < 0;
            for (int index = 0; index < DCTSIZE2 && must_be_exact; index++) {
                is_missing = is_missing || bits[index] != 0;
            }
        }
        if (is_missing) cjpeg_fail((j_common_ptr)jpeg, status, "a channel is missing");
    }
}

/// Records the number of the scan that has ended, and how many bits of the coefficients are still missing.
static void remember_scan(cjpeg_reader *reader) {
    j_decompress_ptr jpeg = &reader->jpeg;
    reader->scan_count = jpeg->input_scan_number;
    if (jpeg->coef_bits == NULL) return;
    size_t count = (size_t)jpeg->num_components;
    memcpy(reader->missing + count, jpeg->coef_bits, count * sizeof *jpeg->coef_bits);
}

/// Allocates the buffer for rows of a small picture. If there is not enough memory, rows are decoded directly into the
/// memory of the caller.
static void choose_row(cjpeg_reader *reader) {
    size_t row_length = (size_t)reader->jpeg.output_width * 4;
    if (reader->row != NULL || row_length * reader->jpeg.output_height > small_picture) return;
    reader->row_memory = malloc(row_length + 2 * vector_length);
    if (reader->row_memory == NULL) return;
    size_t beyond = (uintptr_t)reader->row_memory % vector_length;
    reader->row = reader->row_memory + (vector_length - beyond) + vector_length / 4;
}

cjpeg_status cjpeg_reader_start(cjpeg_reader *reader, bool gives_planes) {
    if (reader->problem.status != CJPEG_OK) return reader->problem.status;
    if (setjmp(reader->problem.entry)) return reader->problem.status;
    reader->jpeg.raw_data_out = gives_planes;
    if (gives_planes && reader->planes.memory == NULL && !cjpeg_planes_allocate(&reader->planes, &reader->jpeg)) {
        cjpeg_fail((j_common_ptr)&reader->jpeg, CJPEG_OUT_OF_MEMORY, "no memory for rows");
    }
    if (!jpeg_start_decompress(&reader->jpeg)) return CJPEG_WAITING;
    begin_scan(reader);
    if (!gives_planes) choose_row(reader);
    return CJPEG_OK;
}

cjpeg_status cjpeg_reader_read_scans(cjpeg_reader *reader, bool *is_end) {
    if (reader->problem.status != CJPEG_OK) return reader->problem.status;
    if (setjmp(reader->problem.entry)) return reader->problem.status;
    int reached = jpeg_consume_input(&reader->jpeg);
    if (reached == JPEG_SUSPENDED) return CJPEG_WAITING;
    if (reached == JPEG_REACHED_SOS) begin_scan(reader);
    if (reached == JPEG_SCAN_COMPLETED) {
        remember_scan(reader);
        cjpeg_source_end_scan(&reader->source, &reader->jpeg);
    }
    if (reached == JPEG_REACHED_EOI) check_completeness(reader);
    *is_end = reached == JPEG_REACHED_EOI;
    return CJPEG_OK;
}

unsigned cjpeg_reader_scan(const cjpeg_reader *reader) {
    return (unsigned)reader->jpeg.input_scan_number;
}

uint64_t cjpeg_reader_weight(const cjpeg_reader *reader) {
    return reader->weight;
}

cjpeg_status cjpeg_reader_recover(cjpeg_reader *reader) {
    j_decompress_ptr jpeg = &reader->jpeg;
    cjpeg_problem *problem = &reader->problem;
    if (problem->status == CJPEG_OK || reader->scan_count == 0) return problem->status;
    if (setjmp(problem->entry)) return problem->status;
    problem->status = CJPEG_OK;
    // No further bytes are read, so the end of the bytes does not matter.
    problem->is_past_end = false;
    cjpeg_frame_restore(&reader->frame, jpeg);
    if (jpeg->input_scan_number > reader->scan_count) return CJPEG_OK;
    // No other scan has begun. libjpeg is told that the file ends, so that it does not look for one.
    jpeg->unread_marker = JPEG_EOI;
    if (jpeg_consume_input(jpeg) != JPEG_REACHED_EOI) {
        cjpeg_fail((j_common_ptr)jpeg, CJPEG_REFUSED, "the scans cannot be shown");
    }
    return CJPEG_OK;
}

unsigned cjpeg_reader_ended_scan(const cjpeg_reader *reader) {
    return (unsigned)reader->scan_count;
}

cjpeg_status cjpeg_reader_start_output(cjpeg_reader *reader, unsigned scan) {
    if (reader->problem.status != CJPEG_OK) return reader->problem.status;
    j_decompress_ptr jpeg = &reader->jpeg;
    int (*missing)[DCTSIZE2] = jpeg->coef_bits;
    if (setjmp(reader->problem.entry)) {
        jpeg->coef_bits = missing;
        return reader->problem.status;
    }
    if (missing != NULL) {
        // libjpeg smooths imprecise blocks. For rows of blocks that the current scan has not reached, it uses the
        // previous precision, which it stores after the current one. For channels that are not in this scan, that value
        // is outdated and the result worse. libjpeg only reads both here, so it receives a corrected copy.
        memcpy(reader->missing, missing, (size_t)jpeg->num_components * sizeof *missing);
        jpeg->coef_bits = reader->missing;
    }
    boolean is_started = jpeg_start_output(jpeg, (int)scan);
    jpeg->coef_bits = missing;
    return is_started ? CJPEG_OK : CJPEG_WAITING;
}

cjpeg_status cjpeg_reader_end_output(cjpeg_reader *reader) {
    if (reader->problem.status != CJPEG_OK) return reader->problem.status;
    if (setjmp(reader->problem.entry)) return reader->problem.status;
    return jpeg_finish_output(&reader->jpeg) ? CJPEG_OK : CJPEG_WAITING;
}

static void invert(uint8_t *samples, size_t count) {
    for (size_t index = 0; index < count; index++) samples[index] ^= 0xFF;
}

cjpeg_status cjpeg_reader_read_row(cjpeg_reader *reader, void *row) {
    if (reader->problem.status != CJPEG_OK) return reader->problem.status;
    if (setjmp(reader->problem.entry)) return reader->problem.status;
    j_decompress_ptr jpeg = &reader->jpeg;
    JSAMPROW rows[] = {reader->row != NULL ? reader->row : row};
    if (jpeg_read_scanlines(jpeg, rows, 1) == 0) return CJPEG_WAITING;
    if (reader->row != NULL) memcpy(row, reader->row, (size_t)jpeg->output_width * 4);
    if (reader->is_inverted) invert(row, (size_t)jpeg->output_width * 4);
    return CJPEG_OK;
}

cjpeg_status cjpeg_reader_read_planes(cjpeg_reader *reader, cjpeg_strip *strips) {
    if (reader->problem.status != CJPEG_OK) return reader->problem.status;
    if (setjmp(reader->problem.entry)) return reader->problem.status;
    if (!cjpeg_planes_read(&reader->planes, &reader->jpeg, strips)) return CJPEG_WAITING;
    return CJPEG_OK;
}

const char *cjpeg_reader_message(const cjpeg_reader *reader) {
    return reader->problem.message;
}

void cjpeg_reader_free(cjpeg_reader *reader) {
    jpeg_destroy_decompress(&reader->jpeg);
    cjpeg_source_free(&reader->source);
    cjpeg_planes_free(&reader->planes);
    free(reader->row_memory);
    free(reader);
}

/// Returns the number of blocks in a scan. Returns 0 if the header of the scan is invalid or names channels that do not
/// exist; libjpeg refuses such a scan. `header`: the header of the scan after its length.
static uint64_t block_count(const cjpeg_reader *reader, const uint8_t *header, size_t length) {
    const struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    size_t channel_count = length > 0 ? header[0] : 0;
    if (length < 1 + 2 * channel_count) return 0;
    uint64_t count = 0;
    for (size_t channel = 0; channel < channel_count; channel++) {
        const jpeg_component_info *component = jpeg->comp_info;
        const jpeg_component_info *end = component + jpeg->num_components;
        while (component < end && component->component_id != header[1 + 2 * channel]) component++;
        if (component == end) return 0;
        if (channel_count == 1) return (uint64_t)component->width_in_blocks * component->height_in_blocks;
        count += (uint64_t)(component->h_samp_factor * component->v_samp_factor);
    }
    // A scan of several channels consists of whole iMCUs.
    uint64_t side = (uint64_t)jpeg->max_h_samp_factor * DCTSIZE;
    return count * ((jpeg->image_width + side - 1) / side) * jpeg->total_iMCU_rows;
}

/// Returns the work of reading a scan, as a number of coefficients. `header`: the header of the scan after its length.
static uint64_t weight_of_header(const cjpeg_reader *reader, const uint8_t *header, size_t length) {
    size_t range = length > 0 ? 1 + 2 * (size_t)header[0] : 1;
    if (length < range + 2) return 0;
    return weight(reader, block_count(reader, header, length), header[range], header[range + 1]);
}

cjpeg_scan_work cjpeg_reader_weigh_scans(
    const cjpeg_reader *reader, const void *bytes, size_t count, size_t most_scans, uint64_t most_weight) {
    const uint8_t *next = bytes;
    const uint8_t *end = next + count;
    cjpeg_scan_work work = {0};
    while (work.scan_count <= most_scans && work.weight <= most_weight) {
        next = memchr(next, 0xFF, (size_t)(end - next));
        if (next == NULL) break;
        while (next < end && *next == 0xFF) next++;
        if (next == end) break;
        uint8_t marker = *next++;
        if (marker == JPEG_EOI) break;
        // A byte of data, or a marker without a segment: TEM, RST or SOI. Source: ITU-T T.81, annex B.1.
        if (marker <= 0x01 || (marker >= JPEG_RST0 && marker <= 0xD8)) continue;
        if (marker == 0xDA) work.scan_count++;
        if (end - next < 2) break;
        ptrdiff_t length = next[0] << 8 | next[1];
        if (end - next < length) break;
        if (marker == 0xDA && length > 2) work.weight += weight_of_header(reader, next + 2, (size_t)length - 2);
        next += length < 2 ? 2 : length;
    }
    return work;
}

#endif
