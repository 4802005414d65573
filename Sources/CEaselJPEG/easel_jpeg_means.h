#ifndef EASEL_JPEG_MEANS_H
#define EASEL_JPEG_MEANS_H

#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

// Makes a decoder of several scans keep only each block's first coefficient, its mean: two bytes for a block instead of
// 128. That is all that the first scan of a progressive file writes, and all that an eighth of its size needs.
//
// To be called between jpeg_read_header and jpeg_start_decompress. No scan but the first may be read.
void easel_jpeg_keep_means(struct jpeg_decompress_struct *info);

#endif
