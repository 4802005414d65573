#include <avif/avif.h>

/// Whether an image with a mirror box swaps left and right; it swaps top and bottom else. The field has had two names.
static inline int easel_avif_swaps_left_and_right(const avifImage *image) {
#if AVIF_VERSION >= 1000000
    return image->imir.axis == 1;
#else
    return image->imir.mode == 1;
#endif
}

/// Whether libavif refuses a file for a track that has no size, as one of sound. Since 1.0 it passes over it.
static inline int easel_avif_refuses_tracks_without_size(void)
{
    return AVIF_VERSION < 1000000;
}
