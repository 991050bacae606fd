#include "CJPEGShim.h"

#ifdef CALOTYPE_JPEG

#include "header.h"

/// The code of the marker SOS, which begins a scan.
static const int start_of_scan = 0xDA;

cjpeg_frame cjpeg_frame_of(j_decompress_ptr jpeg) {
    return (cjpeg_frame){
        .is_progressive = jpeg->progressive_mode,
        .is_arithmetic = jpeg->arith_code,
        .precision = jpeg->data_precision,
        .width = jpeg->image_width,
        .height = jpeg->image_height,
        .component_count = jpeg->num_components,
    };
}

void cjpeg_frame_restore(const cjpeg_frame *frame, j_decompress_ptr jpeg) {
    jpeg->progressive_mode = frame->is_progressive;
    jpeg->arith_code = frame->is_arithmetic;
    jpeg->data_precision = frame->precision;
    jpeg->image_width = frame->width;
    jpeg->image_height = frame->height;
    jpeg->num_components = frame->component_count;
}

static cjpeg_model model_of(J_COLOR_SPACE space) {
    switch (space) {
        case JCS_GRAYSCALE: return CJPEG_GRAY;
        case JCS_RGB: return CJPEG_RGB;
        case JCS_CMYK:
        case JCS_YCCK: return CJPEG_CMYK;
        default: return CJPEG_YCBCR;
    }
}

/// Returns the number of bytes that libjpeg allocates for the coefficients of all blocks, in whole iMCUs.
static uint64_t coefficient_byte_count(j_decompress_ptr jpeg) {
    uint64_t count = 0;
    for (int index = 0; index < jpeg->num_components; index++) {
        const jpeg_component_info *component = &jpeg->comp_info[index];
        uint64_t wide = (uint64_t)component->h_samp_factor;
        uint64_t high = (uint64_t)component->v_samp_factor;
        uint64_t width = (component->width_in_blocks + wide - 1) / wide * wide;
        uint64_t height = (component->height_in_blocks + high - 1) / high * high;
        count += width * height * sizeof(JBLOCK);
    }
    return count;
}

static void describe_picture(j_decompress_ptr jpeg, J_COLOR_SPACE space, cjpeg_header *header) {
    header->width = jpeg->image_width;
    header->height = jpeg->image_height;
    header->model = model_of(space);
    header->is_arithmetic = jpeg->arith_code;
}

void cjpeg_header_describe(j_decompress_ptr jpeg, cjpeg_header *header) {
    describe_picture(jpeg, jpeg->jpeg_color_space, header);
    header->has_scans = jpeg->buffered_image;
    header->coefficient_byte_count = jpeg->buffered_image ? coefficient_byte_count(jpeg) : 0;
}

/// Returns the color space that libjpeg will assume by its own rules. Four channels always become CMYK.
static J_COLOR_SPACE foretold_space(j_decompress_ptr jpeg) {
    const jpeg_component_info *components = jpeg->comp_info;
    switch (jpeg->num_components) {
        case 1: return JCS_GRAYSCALE;
        case 3:
            if (jpeg->saw_JFIF_marker) return JCS_YCbCr;
            if (jpeg->saw_Adobe_marker) return jpeg->Adobe_transform == 0 ? JCS_RGB : JCS_YCbCr;
            bool is_named_rgb = components[0].component_id == 'R' && components[1].component_id == 'G' &&
                                components[2].component_id == 'B';
            return is_named_rgb ? JCS_RGB : JCS_YCbCr;
        case 4: return JCS_CMYK;
        default: return JCS_UNKNOWN;
    }
}

bool cjpeg_header_foretell(j_decompress_ptr jpeg, cjpeg_header *header) {
    // Segments are read as a whole, so the components exist if the frame header was read.
    if (jpeg->unread_marker != start_of_scan || jpeg->comp_info == NULL) return false;
    if (jpeg->image_width > JPEG_MAX_DIMENSION || jpeg->image_height > JPEG_MAX_DIMENSION) return false;
    if (jpeg->data_precision != BITS_IN_JSAMPLE) return false;
    J_COLOR_SPACE space = foretold_space(jpeg);
    if (space == JCS_UNKNOWN) return false;
    for (int index = 0; index < jpeg->num_components; index++) {
        const jpeg_component_info *component = &jpeg->comp_info[index];
        if (component->h_samp_factor < 1 || component->h_samp_factor > MAX_SAMP_FACTOR) return false;
        if (component->v_samp_factor < 1 || component->v_samp_factor > MAX_SAMP_FACTOR) return false;
    }
    describe_picture(jpeg, space, header);
    return true;
}

#endif
