#include <libheif/heif.h>

/// Limits the number of pixels of a picture that libheif decodes. Versions of libheif before 1.19 have only their own
/// limits, and this function has no effect.
static inline void cheif_limit_picture(struct heif_context *context, uint64_t pixel_count) {
#if LIBHEIF_HAVE_VERSION(1, 19, 0)
    heif_context_get_security_limits(context)->max_image_size_pixels = pixel_count;
#else
    (void)context;
    (void)pixel_count;
#endif
}

/// Makes libheif return the decoded samples as they are, by declaring `numbers`, the color description of the samples,
/// as that of the output. Otherwise versions from 1.21 on convert the samples to sRGB.
static inline void cheif_keep_numbers(
    struct heif_decoding_options *options, struct heif_color_profile_nclx *numbers) {
#if LIBHEIF_HAVE_VERSION(1, 21, 0)
    options->output_image_nclx_profile = numbers;
#else
    (void)options;
    (void)numbers;
#endif
}

/// Returns libheif's value for success.
static inline struct heif_error cheif_no_error(void) {
    struct heif_error none = {heif_error_Ok, heif_suberror_Unspecified, ""};
    return none;
}
