#include "BenchmarkFloors.h"

#ifdef CALOTYPE_HEIF

#include <stdlib.h>
#include <string.h>

#include <libheif/heif.h>

benchmark_size benchmark_heif_decode(const void *bytes, size_t count, uint8_t *pixels, size_t capacity) {
    benchmark_size size = {0, 0};
    struct heif_context *context = heif_context_alloc();
    struct heif_image_handle *handle = NULL;
    struct heif_image *image = NULL;
    // One thread, as in the library, which decodes several pictures at once instead.
    heif_context_set_max_decoding_threads(context, 0);
    if (heif_context_read_from_memory_without_copy(context, bytes, count, NULL).code == heif_error_Ok
        && heif_context_get_primary_image_handle(context, &handle).code == heif_error_Ok
        && heif_decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, NULL).code
            == heif_error_Ok) {
        uint32_t width = (uint32_t)heif_image_get_width(image, heif_channel_interleaved);
        uint32_t height = (uint32_t)heif_image_get_height(image, heif_channel_interleaved);
        int row_length = 0;
        const uint8_t *rows = heif_image_get_plane_readonly(image, heif_channel_interleaved, &row_length);
        if (rows != NULL && (size_t)width * height * 4 <= capacity) {
            for (uint32_t y = 0; y < height; y++) {
                memcpy(pixels + (size_t)y * width * 4, rows + (size_t)y * (size_t)row_length, (size_t)width * 4);
            }
            size = (benchmark_size){width, height};
        }
    }
    if (image != NULL) heif_image_release(image);
    if (handle != NULL) heif_image_handle_release(handle);
    heif_context_free(context);
    return size;
}

/// The output of libheif.
typedef struct target {
    uint8_t *bytes;
    size_t count;
} target;

static struct heif_error keep(struct heif_context *context, const void *bytes, size_t count, void *user) {
    (void)context;
    target *target = user;
    struct heif_error none = {heif_error_Ok, heif_suberror_Unspecified, ""};
    struct heif_error failure = {heif_error_Memory_allocation_error, heif_suberror_Unspecified, ""};
    target->bytes = malloc(count);
    if (target->bytes == NULL) return failure;
    memcpy(target->bytes, bytes, count);
    target->count = count;
    return none;
}

/// Copies opaque pixels into an image of libheif. Returns false if that fails.
static bool fill(struct heif_image *image, const uint8_t *pixels, size_t row_length, benchmark_size size) {
    if (heif_image_add_plane(image, heif_channel_interleaved, (int)size.width, (int)size.height, 8).code
        != heif_error_Ok) {
        return false;
    }
    int stride = 0;
    uint8_t *rows = heif_image_get_plane(image, heif_channel_interleaved, &stride);
    for (uint32_t y = 0; y < size.height; y++) {
        const uint8_t *pixel = pixels + y * row_length;
        uint8_t *out = rows + (size_t)y * (size_t)stride;
        for (uint32_t x = 0; x < size.width; x++, pixel += 4, out += 3) memcpy(out, pixel, 3);
    }
    return true;
}

uint8_t *benchmark_heif_encode(
    const uint8_t *pixels, size_t row_length, benchmark_size size, bool is_avif, size_t *count) {
    struct heif_context *context = heif_context_alloc();
    struct heif_encoder *encoder = NULL;
    struct heif_image *image = NULL;
    target target = {NULL, 0};
    struct heif_writer writer = {1, keep};
    // The color numbers are the same as those that the library writes.
    struct heif_encoding_options *options = heif_encoding_options_alloc();
    struct heif_color_profile_nclx *colors = heif_nclx_color_profile_alloc();
    colors->color_primaries = heif_color_primaries_ITU_R_BT_709_5;
    colors->transfer_characteristics = heif_transfer_characteristic_IEC_61966_2_1;
    colors->matrix_coefficients = heif_matrix_coefficients_ITU_R_BT_601_6;
    colors->full_range_flag = 1;
    options->output_nclx_profile = colors;
    options->macOS_compatibility_workaround_no_nclx_profile = 0;
    enum heif_compression_format format = is_avif ? heif_compression_AV1 : heif_compression_HEVC;
    if (heif_context_get_encoder_for_format(context, format, &encoder).code == heif_error_Ok
        && heif_encoder_set_lossy_quality(encoder, 75).code == heif_error_Ok
        && heif_image_create(
               (int)size.width, (int)size.height, heif_colorspace_RGB, heif_chroma_interleaved_RGB, &image).code
            == heif_error_Ok
        && fill(image, pixels, row_length, size)
        && heif_image_set_nclx_color_profile(image, colors).code == heif_error_Ok
        && heif_context_encode_image(context, image, encoder, options, NULL).code == heif_error_Ok) {
        heif_context_write(context, &writer, &target);
    }
    if (image != NULL) heif_image_release(image);
    if (encoder != NULL) heif_encoder_release(encoder);
    heif_nclx_color_profile_free(colors);
    heif_encoding_options_free(options);
    heif_context_free(context);
    *count = target.count;
    return target.bytes;
}

#endif
