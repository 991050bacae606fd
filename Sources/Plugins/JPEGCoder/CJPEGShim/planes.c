#include "CJPEGShim.h"

#ifdef CALOTYPE_JPEG

#include "planes.h"

#include <stdlib.h>

/// The side of a decoded block, in samples of a component and in pixels.
#if JPEG_LIB_VERSION >= 70
// In libjpeg-turbo both sides are equal.
#define SIDE_IN_SAMPLES(component) ((component)->DCT_v_scaled_size)
#define SIDE_IN_PIXELS(jpeg) ((jpeg)->min_DCT_v_scaled_size)
#else
#define SIDE_IN_SAMPLES(component) ((component)->DCT_scaled_size)
#define SIDE_IN_PIXELS(jpeg) ((jpeg)->min_DCT_scaled_size)
#endif

/// The size of an iMCU, in pixels or in samples of a component.
typedef struct cjpeg_unit {
    int width;
    int height;
} cjpeg_unit;

static cjpeg_unit unit_in_pixels(j_decompress_ptr jpeg) {
    int side = SIDE_IN_PIXELS(jpeg);
    return (cjpeg_unit){jpeg->max_h_samp_factor * side, jpeg->max_v_samp_factor * side};
}

static cjpeg_unit unit_in_samples(const jpeg_component_info *component) {
    int side = SIDE_IN_SAMPLES(component);
    return (cjpeg_unit){component->h_samp_factor * side, component->v_samp_factor * side};
}

static bool are_equal(cjpeg_unit one, cjpeg_unit other) {
    return one.width == other.width && one.height == other.height;
}

/// Returns whether each side of `unit` is equal to that of `whole` or half of it.
static bool is_half_at_least(cjpeg_unit unit, cjpeg_unit whole) {
    return (unit.width == whole.width || unit.width * 2 == whole.width) &&
           (unit.height == whole.height || unit.height * 2 == whole.height);
}

void cjpeg_planes_describe(j_decompress_ptr jpeg, cjpeg_output *output) {
    const jpeg_component_info *components = jpeg->comp_info;
    output->plane_count = 0;
    output->chroma_width = 0;
    output->chroma_height = 0;
    // libjpeg may scale the components of a file differently, so their sizes are only known now.
    cjpeg_unit whole = unit_in_pixels(jpeg);
    if (!are_equal(unit_in_samples(&components[0]), whole)) return;
    if (jpeg->jpeg_color_space == JCS_GRAYSCALE) output->plane_count = 1;
    if (jpeg->jpeg_color_space != JCS_YCbCr) return;
    cjpeg_unit chroma = unit_in_samples(&components[1]);
    if (!is_half_at_least(chroma, whole) || !are_equal(unit_in_samples(&components[2]), chroma)) return;
    output->plane_count = 3;
    output->chroma_width = components[1].downsampled_width;
    output->chroma_height = components[1].downsampled_height;
}

bool cjpeg_planes_allocate(cjpeg_planes *planes, j_decompress_ptr jpeg) {
    size_t length = 0;
    for (int index = 0; index < jpeg->num_components; index++) {
        const jpeg_component_info *component = &jpeg->comp_info[index];
        // libjpeg writes whole blocks. A side has at most 65,500 pixels, so nothing overflows.
        size_t width = (size_t)component->width_in_blocks * (size_t)SIDE_IN_SAMPLES(component);
        planes->bytes_per_row[index] = (width + 63) & ~(size_t)63;
        length += planes->bytes_per_row[index] * (size_t)unit_in_samples(component).height;
    }
    planes->memory = calloc(length, 1);
    if (planes->memory == NULL) return false;
    uint8_t *row = planes->memory;
    for (int index = 0; index < jpeg->num_components; index++) {
        for (int y = 0; y < unit_in_samples(&jpeg->comp_info[index]).height; y++) {
            planes->rows[index][y] = row;
            row += planes->bytes_per_row[index];
        }
    }
    return true;
}

bool cjpeg_planes_read(cjpeg_planes *planes, j_decompress_ptr jpeg, cjpeg_strip *strips) {
    JSAMPARRAY rows[] = {planes->rows[0], planes->rows[1], planes->rows[2]};
    JDIMENSION height = (JDIMENSION)unit_in_pixels(jpeg).height;
    JDIMENSION unit = jpeg->output_scanline / height;
    if (jpeg_read_raw_data(jpeg, rows, height) == 0) return false;
    for (int index = 0; index < jpeg->num_components; index++) {
        const jpeg_component_info *component = &jpeg->comp_info[index];
        uint32_t count = (uint32_t)unit_in_samples(component).height;
        uint32_t left = component->downsampled_height - unit * count;
        strips[index].bytes = planes->rows[index][0];
        strips[index].bytes_per_row = planes->bytes_per_row[index];
        strips[index].start = unit * count;
        // The last blocks may extend beyond the picture.
        strips[index].count = count < left ? count : left;
    }
    return true;
}

void cjpeg_planes_free(cjpeg_planes *planes) {
    free(planes->memory);
}

#endif
