#include "BenchmarkFloors.h"

#ifdef CALOTYPE_JPEG

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
// jpeglib.h uses FILE without declaring it.
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

/// libjpeg's error manager, with the jump target.
typedef struct problem {
    struct jpeg_error_mgr manager;
    jmp_buf entry;
} problem;

/// libjpeg's function for fatal errors.
static void leave(j_common_ptr jpeg) {
    longjmp(((problem *)jpeg->err)->entry, 1);
}

/// libjpeg's function for messages, which are discarded.
static void say_nothing(j_common_ptr jpeg) {
    (void)jpeg;
}

static struct jpeg_error_mgr *install(problem *problem) {
    struct jpeg_error_mgr *manager = jpeg_std_error(&problem->manager);
    manager->error_exit = leave;
    manager->output_message = say_nothing;
    return manager;
}

benchmark_size benchmark_jpeg_decode(
    const void *bytes, size_t count, unsigned divisor, uint8_t *pixels, size_t capacity) {
    const benchmark_size nothing = {0, 0};
    problem problem;
    struct jpeg_decompress_struct jpeg;
    jpeg.err = install(&problem);
    if (setjmp(problem.entry)) {
        jpeg_destroy_decompress(&jpeg);
        return nothing;
    }
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, bytes, count);
    jpeg_read_header(&jpeg, TRUE);
    jpeg.out_color_space = JCS_EXT_RGBA;
    jpeg.dct_method = JDCT_ISLOW;
    jpeg.do_fancy_upsampling = TRUE;
    jpeg.scale_num = 1;
    jpeg.scale_denom = divisor;
    jpeg_start_decompress(&jpeg);
    benchmark_size size = {jpeg.output_width, jpeg.output_height};
    size_t row_length = (size_t)size.width * 4;
    if (row_length * size.height > capacity) {
        jpeg_destroy_decompress(&jpeg);
        return nothing;
    }
    while (jpeg.output_scanline < size.height) {
        // As many rows as libjpeg-turbo ever returns at once.
        JSAMPROW rows[4];
        JDIMENSION row_count = size.height - jpeg.output_scanline;
        if (row_count > 4) row_count = 4;
        for (JDIMENSION index = 0; index < row_count; index++) {
            rows[index] = pixels + (jpeg.output_scanline + index) * row_length;
        }
        jpeg_read_scanlines(&jpeg, rows, row_count);
    }
    jpeg_finish_decompress(&jpeg);
    jpeg_destroy_decompress(&jpeg);
    return size;
}

/// The state that threads share while they decode the same file.
typedef struct batch {
    const void *bytes;
    size_t count;
    unsigned divisor;
    size_t capacity;
    size_t repeats;
    /// The number of decodes that have begun.
    atomic_size_t begun;
    atomic_bool has_failed;
} batch;

/// A thread of the batch.
static void *work(void *context) {
    batch *batch = context;
    uint8_t *pixels = malloc(batch->capacity);
    while (pixels != NULL && atomic_fetch_add(&batch->begun, 1) < batch->repeats) {
        benchmark_size size =
            benchmark_jpeg_decode(batch->bytes, batch->count, batch->divisor, pixels, batch->capacity);
        if (size.width == 0) atomic_store(&batch->has_failed, true);
    }
    if (pixels == NULL) atomic_store(&batch->has_failed, true);
    free(pixels);
    return NULL;
}

bool benchmark_jpeg_decode_often(
    const void *bytes, size_t count, unsigned divisor, size_t capacity, size_t repeats, size_t thread_count) {
    batch batch = {bytes, count, divisor, capacity, repeats, 0, false};
    pthread_t *threads = calloc(thread_count, sizeof *threads);
    if (threads == NULL) return false;
    size_t started = 0;
    while (started < thread_count && pthread_create(&threads[started], NULL, work, &batch) == 0) started++;
    for (size_t index = 0; index < started; index++) pthread_join(threads[index], NULL);
    free(threads);
    return started == thread_count && !batch.has_failed;
}

uint8_t *benchmark_jpeg_encode(
    const uint8_t *pixels, size_t row_length, benchmark_size size, int quality, size_t *count) {
    // More than the file needs, so that it never grows. Untouched memory costs nothing.
    unsigned long length = (unsigned long)size.width * size.height * 4;
    uint8_t *memory = malloc(length);
    if (memory == NULL) return NULL;
    unsigned char *bytes = memory;
    problem problem;
    struct jpeg_compress_struct jpeg;
    jpeg.err = install(&problem);
    if (setjmp(problem.entry)) {
        jpeg_destroy_compress(&jpeg);
        free(memory);
        return NULL;
    }
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &length);
    jpeg.image_width = size.width;
    jpeg.image_height = size.height;
    jpeg.input_components = 4;
    jpeg.in_color_space = JCS_EXT_RGBA;
    // YCbCr with a quarter of the chroma samples.
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, quality, TRUE);
    jpeg.dct_method = JDCT_ISLOW;
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < size.height) {
        // As many rows as are compressed at once.
        JSAMPROW rows[16];
        JDIMENSION row_count = size.height - jpeg.next_scanline;
        if (row_count > 16) row_count = 16;
        for (JDIMENSION index = 0; index < row_count; index++) {
            // The rows are only read; libjpeg's parameter lacks the const.
            rows[index] = (JSAMPROW)(pixels + (jpeg.next_scanline + index) * row_length);
        }
        jpeg_write_scanlines(&jpeg, rows, row_count);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    *count = length;
    // libjpeg has allocated its own memory for a file longer than its pixels.
    if (bytes != memory) free(memory);
    return bytes;
}

#endif
