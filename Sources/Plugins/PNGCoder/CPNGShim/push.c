#include "CPNGShim.h"

#ifdef CALOTYPE_PNG

#include "problem.h"
#include "rows.h"

#include <stdlib.h>

struct cpng_pusher {
    png_structp png;
    png_infop info;
    uint8_t *rows;
    uint32_t width;
    uint32_t height;
    size_t bytes_per_row;
    bool wants_16_bits;
    /// The number of bits of a pixel in the file.
    size_t bits_per_pixel;
    /// Whether the header is complete and rows may follow.
    bool is_started;
    int passes;
    cpng_problem problem;
};

/// libpng's function for the end of the header: checks the size of the picture and sets the format of rows.
static void start(png_structp png, png_infop info) {
    cpng_pusher *pusher = png_get_progressive_ptr(png);
    if (png_get_image_width(png, info) != pusher->width || png_get_image_height(png, info) != pusher->height) {
        cpng_fail_with(png, CPNG_REFUSED, "the header is of another size than there is room for");
    }
    // With benign errors on, a failed inflation of pixels would only be a warning.
    png_set_benign_errors(png, 0);
    pusher->bits_per_pixel = (size_t)png_get_bit_depth(png, info) * png_get_channels(png, info);
    pusher->passes = cpng_set_rows(png, info, pusher->wants_16_bits);
    pusher->bytes_per_row = png_get_rowbytes(png, info);
    pusher->is_started = true;
}

/// libpng's function for a row of a pass: stores the row. `row` is NULL if the pass has no pixels in this row.
static void take_row(png_structp png, png_bytep row, png_uint_32 y, int pass) {
    (void)pass;
    cpng_pusher *pusher = png_get_progressive_ptr(png);
    if (row == NULL || y >= pusher->height) return;
    png_progressive_combine_row(png, pusher->rows + y * pusher->bytes_per_row, row);
}

cpng_pusher *cpng_pusher_create(void *rows, uint32_t width, uint32_t height, bool wants_16_bits) {
    cpng_pusher *pusher = calloc(1, sizeof *pusher);
    if (pusher == NULL) return NULL;
    pusher->rows = rows;
    pusher->width = width;
    pusher->height = height;
    pusher->wants_16_bits = wants_16_bits;
    pusher->png = png_create_read_struct_2(
        PNG_LIBPNG_VER_STRING, &pusher->problem, cpng_fail, cpng_warn, &pusher->problem, cpng_allocate, cpng_release);
    if (pusher->png != NULL) pusher->info = png_create_info_struct(pusher->png);
    if (pusher->info == NULL) {
        cpng_pusher_free(pusher);
        return NULL;
    }
    png_set_user_limits(pusher->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_progressive_read_fn(pusher->png, pusher, start, take_row, NULL);
    return pusher;
}

size_t cpng_pusher_reach(const cpng_pusher *pusher, size_t pixel_count) {
    // The number of pixels that each pixel of a pass fills.
    static const uint8_t blocks[] = {64, 32, 16, 8, 4, 2, 1};
    // Two bits can stand for 258 bytes. Source: RFC 1951, section 3.2.5.
    const size_t most_inflation = 1032;
    int pass = pusher->passes > 1 ? png_get_current_pass_number(pusher->png) : 6;
    size_t writes = pass < 6 ? blocks[pass] : 1;
    size_t reach = pixel_count * pusher->bits_per_pixel / (8 * most_inflation * writes);
    return reach > 0 ? reach : 1;
}

cpng_status cpng_pusher_push(cpng_pusher *pusher, const void *bytes, size_t count) {
    if (pusher->problem.status != CPNG_OK) return pusher->problem.status;
    if (setjmp(png_jmpbuf(pusher->png))) return pusher->problem.status;
    // libpng does not write to the bytes, although the parameter is not const.
    png_process_data(pusher->png, pusher->info, (png_bytep)bytes, count);
    return CPNG_OK;
}

cpng_progress cpng_pusher_progress(const cpng_pusher *pusher) {
    cpng_progress progress = {0};
    if (!pusher->is_started) return progress;
    progress.pass = png_get_current_pass_number(pusher->png);
    progress.row_count = png_get_current_row_number(pusher->png);
    progress.is_complete = pusher->passes > 1 ? progress.pass >= pusher->passes : progress.row_count >= pusher->height;
    return progress;
}

const char *cpng_pusher_message(const cpng_pusher *pusher) {
    return pusher->problem.message;
}

void cpng_pusher_free(cpng_pusher *pusher) {
    png_destroy_read_struct(&pusher->png, &pusher->info, NULL);
    free(pusher);
}

#endif
