#ifndef EASEL_JPEG_MEANS_H
#define EASEL_JPEG_MEANS_H

#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

// Makes a decoder of several scans keep only each block's first coefficient, its mean: two bytes for a block instead of
// 128. That is all that the first scan of a progressive file writes, and all that an eighth of its size needs.
//
// libjpeg asks its memory manager for virtual arrays of blocks, and for rows of them, through two methods of the public
// jpeg_memory_mgr, which are replaced. To all other modules an array is an opaque handle.
//
// To be called between jpeg_read_header and jpeg_start_decompress. No scan but the first may be read.
void easel_jpeg_keep_means(struct jpeg_decompress_struct *info);

#endif
