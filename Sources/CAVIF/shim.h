#include <avif/avif.h>

/// Returns whether an image's mirror box flips horizontally rather than vertically. The field has two names.
static inline int easel_avif_swaps_left_and_right(const avifImage *image) {
#if AVIF_VERSION >= 1000000
    return image->imir.axis == 1;
#else
    return image->imir.mode == 1;
#endif
}

/// Returns whether libavif rejects files with tracks that have no size, such as audio. Since 1.0 it ignores them.
static inline int easel_avif_refuses_tracks_without_size(void)
{
    return AVIF_VERSION < 1000000;
}
