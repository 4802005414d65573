#ifndef EASEL_JPEG_PROGRESSIVE_H
#define EASEL_JPEG_PROGRESSIVE_H

#include "easel_jpeg_entropy.h"

// Takes over a decoder of a progressive file, as easel_jpeg_entropy_install says.
easel_jpeg_entropy *easel_jpeg_progressive_install(struct jpeg_decompress_struct *info, const easel_jpeg_room *room);

#endif
