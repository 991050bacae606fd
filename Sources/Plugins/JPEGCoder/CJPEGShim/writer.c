#include "CJPEGShim.h"

#ifdef CALOTYPE_JPEG

#include "problem.h"

#include <stdlib.h>

struct cjpeg_writer {
    /// The compressor. It is the first field, so that a pointer to the compressor is also a pointer to the writer.
    struct jpeg_compress_struct jpeg;
    cjpeg_problem problem;
    struct jpeg_destination_mgr destination;
    struct jpeg_progress_mgr progress;
    bool (*should_stop)(const void *context);
    const void *stop_context;
    cjpeg_picture picture;
    /// The row in the format that libjpeg accepts; NULL if the given rows already have that format.
    uint8_t *row;
    uint8_t *bytes;
    size_t capacity;
};

/// The beginning of an EXIF segment. Source: CIPA DC-008 (EXIF 2.32), section 4.5.4.
static const uint8_t exif_name[6] = "Exif\0";
/// The beginning of an XMP segment. Source: XMP Specification, part 3 (2020), section 1.1.3.
static const uint8_t xmp_name[29] = "http://ns.adobe.com/xap/1.0/";
/// The maximum number of bytes embedded in a segment. The length of a segment has two bytes and includes itself.
static const size_t segment_capacity = 65533;
/// The maximum length of a part of a profile, which may have 255 parts. Source: ICC.1:2022, annex B.4.
static const size_t profile_part_capacity = 65533 - 14;

/// libjpeg's function for the beginning of a file, which allocates memory: a byte for each pixel, which suffices for
/// most small files.
static void begin_bytes(j_compress_ptr jpeg) {
    cjpeg_writer *writer = (cjpeg_writer *)jpeg;
    size_t pixel_count = (size_t)jpeg->image_width * jpeg->image_height;
    writer->capacity = pixel_count < 1 << 12 ? 1 << 12 : pixel_count > 1 << 16 ? 1 << 16 : pixel_count;
    writer->bytes = malloc(writer->capacity);
    if (writer->bytes == NULL) cjpeg_fail((j_common_ptr)jpeg, CJPEG_OUT_OF_MEMORY, "no memory for the file");
    writer->destination.next_output_byte = writer->bytes;
    writer->destination.free_in_buffer = writer->capacity;
}

/// libjpeg's function for a full buffer. The whole buffer is full, even if libjpeg's counter of free bytes is not 0.
static boolean grow_bytes(j_compress_ptr jpeg) {
    cjpeg_writer *writer = (cjpeg_writer *)jpeg;
    if (writer->capacity > SIZE_MAX / 2) cjpeg_fail((j_common_ptr)jpeg, CJPEG_OUT_OF_MEMORY, "the file is too long");
    uint8_t *grown = realloc(writer->bytes, writer->capacity * 2);
    if (grown == NULL) cjpeg_fail((j_common_ptr)jpeg, CJPEG_OUT_OF_MEMORY, "no memory for the file");
    writer->bytes = grown;
    writer->destination.next_output_byte = grown + writer->capacity;
    writer->destination.free_in_buffer = writer->capacity;
    writer->capacity *= 2;
    return TRUE;
}

/// libjpeg's function for the end of a file, which does nothing.
static void end_bytes(j_compress_ptr jpeg) {
    (void)jpeg;
}

/// libjpeg's progress function, which is called for each row of iMCUs.
static void check_stop(j_common_ptr jpeg) {
    cjpeg_writer *writer = (cjpeg_writer *)jpeg;
    if (writer->should_stop == NULL || !writer->should_stop(writer->stop_context)) return;
    cjpeg_fail(jpeg, CJPEG_STOPPED, "stopped");
}

cjpeg_writer *cjpeg_writer_create(void) {
    cjpeg_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) return NULL;
    writer->jpeg.err = cjpeg_install(&writer->problem);
    // The first function that is called reports a failure here.
    if (setjmp(writer->problem.entry)) return writer;
    jpeg_create_compress(&writer->jpeg);
    // The environment variable JPEGMEM is ignored, because there is no backing store.
    writer->jpeg.mem->max_memory_to_use = 0;
    writer->destination.init_destination = begin_bytes;
    writer->destination.empty_output_buffer = grow_bytes;
    writer->destination.term_destination = end_bytes;
    writer->jpeg.dest = &writer->destination;
    writer->progress.progress_monitor = check_stop;
    writer->jpeg.progress = &writer->progress;
    return writer;
}

cjpeg_status cjpeg_writer_start(cjpeg_writer *writer, const cjpeg_picture *picture) {
    if (writer->problem.status != CJPEG_OK) return writer->problem.status;
    j_compress_ptr jpeg = &writer->jpeg;
    if (setjmp(writer->problem.entry)) return writer->problem.status;
    writer->picture = *picture;
    jpeg->image_width = picture->width;
    jpeg->image_height = picture->height;
    jpeg->input_components = 4;
    jpeg->in_color_space = JCS_EXT_RGBA;
    jpeg_set_defaults(jpeg);
    // The luma of three equal channels is exactly that channel: the weights add up to one and the result is rounded.
    jpeg_set_colorspace(jpeg, picture->is_gray ? JCS_GRAYSCALE : JCS_YCbCr);
    if (!picture->is_gray) {
        jpeg->comp_info[0].h_samp_factor = picture->horizontal_factor;
        jpeg->comp_info[0].v_samp_factor = picture->vertical_factor;
    }
    jpeg_set_quality(jpeg, picture->quality, TRUE);
    jpeg->dct_method = JDCT_ISLOW;
    if (picture->is_progressive) jpeg_simple_progression(jpeg);
    jpeg->optimize_coding = picture->has_own_tables;
    if (picture->is_bare) jpeg->write_JFIF_header = FALSE;
    jpeg_start_compress(jpeg, TRUE);
    if (picture->format != CJPEG_RGBA8 || !picture->is_opaque) {
        // libjpeg has accepted the width, so four bytes per pixel cannot overflow.
        writer->row = malloc((size_t)picture->width * 4);
        if (writer->row == NULL) cjpeg_fail((j_common_ptr)jpeg, CJPEG_OUT_OF_MEMORY, "no memory for a row");
    }
    return CJPEG_OK;
}

/// Writes an APP1 segment: a name followed by its block.
static void write_block(
    j_compress_ptr jpeg, const uint8_t *name, size_t name_length, const uint8_t *block, size_t length) {
    if (length > segment_capacity - name_length) cjpeg_fail((j_common_ptr)jpeg, CJPEG_REFUSED, "a block is too long");
    jpeg_write_m_header(jpeg, JPEG_APP0 + 1, (unsigned)(name_length + length));
    for (size_t index = 0; index < name_length; index++) jpeg_write_m_byte(jpeg, name[index]);
    for (size_t index = 0; index < length; index++) jpeg_write_m_byte(jpeg, block[index]);
}

cjpeg_status cjpeg_writer_write_exif(cjpeg_writer *writer, const void *block, size_t length) {
    if (writer->problem.status != CJPEG_OK) return writer->problem.status;
    if (setjmp(writer->problem.entry)) return writer->problem.status;
    write_block(&writer->jpeg, exif_name, sizeof exif_name, block, length);
    return CJPEG_OK;
}

cjpeg_status cjpeg_writer_write_xmp(cjpeg_writer *writer, const void *packet, size_t length) {
    if (writer->problem.status != CJPEG_OK) return writer->problem.status;
    if (setjmp(writer->problem.entry)) return writer->problem.status;
    write_block(&writer->jpeg, xmp_name, sizeof xmp_name, packet, length);
    return CJPEG_OK;
}

cjpeg_status cjpeg_writer_write_profile(cjpeg_writer *writer, const void *profile, size_t length) {
    if (writer->problem.status != CJPEG_OK) return writer->problem.status;
    j_compress_ptr jpeg = &writer->jpeg;
    if (setjmp(writer->problem.entry)) return writer->problem.status;
    if (length == 0) cjpeg_fail((j_common_ptr)jpeg, CJPEG_REFUSED, "the profile is empty");
    // libjpeg would restart the numbers of parts from zero.
    if (length > 255 * profile_part_capacity) {
        cjpeg_fail((j_common_ptr)jpeg, CJPEG_REFUSED, "the profile is too long");
    }
    jpeg_write_icc_profile(jpeg, profile, (unsigned)length);
    return CJPEG_OK;
}

/// Converts 16 bits to 8, rounded to the nearest value.
static inline uint8_t narrowed16(uint32_t value) {
    return (uint8_t)((value * 255 + 32895) >> 16);
}

static inline float clamped(float value) {
    // The order of comparisons turns NaN into 0.
    return value > 0 ? (value < 1 ? value : 1) : 0;
}

static inline uint8_t narrowed_float(float value) {
    return (uint8_t)(clamped(value) * 255.0f + 0.5f);
}

static void narrow16(uint8_t *target, const uint16_t *samples, size_t count) {
    for (size_t index = 0; index < count; index++) target[index] = narrowed16(samples[index]);
}

static void narrow_float(uint8_t *target, const float *samples, size_t count) {
    for (size_t index = 0; index < count; index++) target[index] = narrowed_float(samples[index]);
}

// The pixel and the background are composed before rounding to eight bits.

static void compose8(uint8_t *target, const uint8_t *pixel, const uint8_t *background, size_t width) {
    for (; width > 0; width--, pixel += 4, target += 4) {
        uint32_t alpha = pixel[3];
        for (int channel = 0; channel < 3; channel++) {
            uint32_t sum = pixel[channel] * alpha + background[channel] * (255 - alpha);
            target[channel] = (uint8_t)((sum + 127) / 255);
        }
        target[3] = 255;
    }
}

static void compose16(uint8_t *target, const uint16_t *pixel, const uint8_t *background, size_t width) {
    const uint64_t full = 65535ull * 65535ull;
    for (; width > 0; width--, pixel += 4, target += 4) {
        uint64_t alpha = pixel[3];
        for (int channel = 0; channel < 3; channel++) {
            uint64_t sum = pixel[channel] * alpha + background[channel] * 257ull * (65535 - alpha);
            target[channel] = (uint8_t)((sum * 255 + full / 2) / full);
        }
        target[3] = 255;
    }
}

static void compose_float(uint8_t *target, const float *pixel, const uint8_t *background, size_t width) {
    for (; width > 0; width--, pixel += 4, target += 4) {
        float alpha = clamped(pixel[3]);
        for (int channel = 0; channel < 3; channel++) {
            float sum = clamped(pixel[channel]) * alpha * 255.0f + (float)background[channel] * (1 - alpha);
            target[channel] = (uint8_t)(sum + 0.5f);
        }
        target[3] = 255;
    }
}

/// Converts a row to the format that libjpeg accepts.
static void prepare_row(cjpeg_writer *writer, const void *row) {
    const cjpeg_picture *picture = &writer->picture;
    const uint8_t *background = picture->background;
    size_t width = picture->width;
    switch (picture->format) {
        // Opaque rows are used directly.
        case CJPEG_RGBA8: compose8(writer->row, row, background, width); break;
        case CJPEG_RGBA16:
            if (picture->is_opaque) {
                narrow16(writer->row, row, width * 4);
            } else {
                compose16(writer->row, row, background, width);
            }
            break;
        case CJPEG_RGBA_FLOAT:
            if (picture->is_opaque) {
                narrow_float(writer->row, row, width * 4);
            } else {
                compose_float(writer->row, row, background, width);
            }
            break;
    }
}

cjpeg_status cjpeg_writer_write_rows(cjpeg_writer *writer, const void *rows, size_t row_length, size_t count) {
    if (writer->problem.status != CJPEG_OK) return writer->problem.status;
    if (setjmp(writer->problem.entry)) return writer->problem.status;
    for (size_t index = 0; index < count; index++) {
        const void *row = (const uint8_t *)rows + index * row_length;
        if (writer->row != NULL) {
            prepare_row(writer, row);
            row = writer->row;
        }
        // libjpeg only reads the row, although the parameter is not const.
        JSAMPROW scanlines[] = {(JSAMPROW)row};
        jpeg_write_scanlines(&writer->jpeg, scanlines, 1);
    }
    return CJPEG_OK;
}

cjpeg_status cjpeg_writer_finish(
    cjpeg_writer *writer, bool (*should_stop)(const void *context), const void *context, void **bytes, size_t *count) {
    if (writer->problem.status != CJPEG_OK) return writer->problem.status;
    if (setjmp(writer->problem.entry)) return writer->problem.status;
    writer->should_stop = should_stop;
    writer->stop_context = context;
    jpeg_finish_compress(&writer->jpeg);
    size_t length = writer->capacity - writer->destination.free_in_buffer;
    uint8_t *shrunk = realloc(writer->bytes, length);
    *bytes = shrunk != NULL ? shrunk : writer->bytes;
    *count = length;
    writer->bytes = NULL;
    return CJPEG_OK;
}

const char *cjpeg_writer_message(const cjpeg_writer *writer) {
    return writer->problem.message;
}

void cjpeg_writer_free(cjpeg_writer *writer) {
    jpeg_destroy_compress(&writer->jpeg);
    free(writer->row);
    free(writer->bytes);
    free(writer);
}

#endif
