#include <libheif/heif.h>

/// Limits the images that libheif accepts: by their pixels, or by their longer side before 1.19.
static inline void easel_heif_set_limits(struct heif_context *context, int longest_side, uint64_t pixels)
{
#if LIBHEIF_NUMERIC_VERSION >= (1 << 24 | 19 << 16)
    (void)longest_side;
    struct heif_security_limits *limits = heif_context_get_security_limits(context);
    if (limits) {
        limits->max_image_size_pixels = pixels;
    }
#else
    (void)pixels;
    heif_context_set_maximum_image_size_limit(context, longest_side);
#endif
}

/// Requests the file's own primaries and transfer. Versions that can convert them return sRGB otherwise.
static inline void easel_heif_keep_code_points(struct heif_decoding_options *options)
{
#if LIBHEIF_NUMERIC_VERSION >= (1 << 24 | 23 << 16)
    if (options->version >= 10) {
        options->output_image_nclx_profile_passthrough = 1;
    }
#else
    (void)options;
#endif
}
