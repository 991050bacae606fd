#include <libheif/heif.h>

/// Limits the number of pixels of a picture that libheif decodes. The function has no effect with versions of libheif
/// before 1.19, whose limit cannot be set in this way.
static inline void cheif_limit_picture(struct heif_context *context, uint64_t pixel_count) {
#if LIBHEIF_HAVE_VERSION(1, 19, 0)
    heif_context_get_security_limits(context)->max_image_size_pixels = pixel_count;
#else
    (void)context;
    (void)pixel_count;
#endif
}

/// Makes libheif return the decoded samples without converting their colors. `numbers` is the color description of the
/// samples, which is declared to be that of the output, too. Otherwise libheif 1.21 and newer convert the samples to
/// sRGB. The function has no effect with older versions.
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
