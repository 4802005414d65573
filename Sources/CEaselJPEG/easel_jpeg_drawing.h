#ifndef EASEL_JPEG_DRAWING_H
#define EASEL_JPEG_DRAWING_H

#include "easel_jpeg_entropy.h"

// Draws the units of a scan as soon as each is decoded, in place of libjpeg's loop over them. That clears all blocks before each
// unit, and has all of them transformed; but of a photo every third block has a mean alone, and is of one colour.
typedef struct easel_jpeg_drawing easel_jpeg_drawing;

// Decodes the next unit into blocks that hold zeros. Tells of each the place from which on, in the order of the file, it holds
// zeros still.
typedef void (*easel_jpeg_decode_unit)(j_decompress_ptr, JBLOCKROW *blocks, uint8_t *ends);

// For a decoder that has begun with a scan of several components. Nothing is changed where libjpeg would draw less than all of
// them.
void easel_jpeg_drawing_install(
    struct jpeg_decompress_struct *info, easel_jpeg_entropy *entropy, easel_jpeg_decode_unit decode);

#endif
