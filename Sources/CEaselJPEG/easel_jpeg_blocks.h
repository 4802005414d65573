#ifndef EASEL_JPEG_BLOCKS_H
#define EASEL_JPEG_BLOCKS_H

#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

// The memory of the blocks of a decoder of several scans: an array for each component.
typedef struct {
    struct {
        void *start;
        size_t count;
    } arrays[MAX_COMPONENTS];
    int count;
} easel_jpeg_blocks;

// Makes a decoder of several scans keep its blocks, 128 bytes each, in memory that the system gives in large pages: of a large
// image there are thousands of small ones, each of which takes a fault.
//
// As in easel_jpeg_means.h, two methods of the public jpeg_memory_mgr are replaced. To be called between jpeg_read_header and
// jpeg_start_decompress, where jpeglib's state is the first member of an easel_jpeg_decoder.
void easel_jpeg_map_blocks(struct jpeg_decompress_struct *info);

// To be called when libjpeg no longer uses them: after jpeg_abort_decompress or jpeg_destroy_decompress.
void easel_jpeg_unmap_blocks(easel_jpeg_blocks *blocks);

#endif
