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

/// The parameters of a gain map (ISO 21496-1), for red, green and blue.
typedef struct easel_avif_gain_map {
    double minimum[3], maximum[3], gamma[3], base_offset[3], alternate_offset[3];
    double base_headroom, alternate_headroom;
    int uses_base_colors;
    /// The ICC profile of the HDR image, or its code points: 2 if they are unknown.
    const uint8_t *profile;
    size_t profile_size;
    int primaries, transfer;
} easel_avif_gain_map;

/// Reads the parameters of a parsed image's gain map. Returns 0 if there is none, and with libavif before 1.2, whose
/// interface for gain maps was experimental. A denominator of 0 gives a number that is not finite.
static inline int easel_avif_read_gain_map(const avifImage *image, easel_avif_gain_map *parameters)
{
#if AVIF_VERSION >= 1020000
    const avifGainMap *map = image->gainMap;
    if (!map) {
        return 0;
    }
    for (int channel = 0; channel < 3; channel++) {
        parameters->minimum[channel] = (double)map->gainMapMin[channel].n / map->gainMapMin[channel].d;
        parameters->maximum[channel] = (double)map->gainMapMax[channel].n / map->gainMapMax[channel].d;
        parameters->gamma[channel] = (double)map->gainMapGamma[channel].n / map->gainMapGamma[channel].d;
        parameters->base_offset[channel] = (double)map->baseOffset[channel].n / map->baseOffset[channel].d;
        parameters->alternate_offset[channel] =
            (double)map->alternateOffset[channel].n / map->alternateOffset[channel].d;
    }
    parameters->base_headroom = (double)map->baseHdrHeadroom.n / map->baseHdrHeadroom.d;
    parameters->alternate_headroom = (double)map->alternateHdrHeadroom.n / map->alternateHdrHeadroom.d;
    parameters->uses_base_colors = map->useBaseColorSpace;
    parameters->profile = map->altICC.data;
    parameters->profile_size = map->altICC.size;
    parameters->primaries = map->altColorPrimaries;
    parameters->transfer = map->altTransferCharacteristics;
    return 1;
#else
    (void)image;
    (void)parameters;
    return 0;
#endif
}

/// Returns the gain map of an image, or NULL if it was not requested.
static inline avifImage *easel_avif_gain_map_image(const avifImage *image)
{
#if AVIF_VERSION >= 1020000
    return image->gainMap ? image->gainMap->image : NULL;
#else
    (void)image;
    return NULL;
#endif
}

/// Makes a decoder decode only the gain map. Called before the file is parsed.
static inline void easel_avif_request_gain_map(avifDecoder *decoder)
{
#if AVIF_VERSION >= 1020000
    decoder->imageContentToDecode = AVIF_IMAGE_CONTENT_GAIN_MAP;
#else
    (void)decoder;
#endif
}
