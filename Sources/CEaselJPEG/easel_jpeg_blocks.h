#ifndef EASEL_JPEG_BLOCKS_H
#define EASEL_JPEG_BLOCKS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

// Where a file of several scans keeps the blocks of the whole picture from scan to scan: in memory that it is given, instead of
// libjpeg's own, which comes from the system in small pages for each picture anew.
typedef struct {
    uint8_t *start; // aligned for JBLOCK; NULL without any
    size_t count;
    size_t used; // by the blocks; behind them is an eighth of a byte for each coefficient
} easel_jpeg_room;

// The bytes that are needed, once the header is read; 0 for a file of one scan.
size_t easel_jpeg_room_needed(struct jpeg_decompress_struct *info);

// To be called between jpeg_read_header and jpeg_start_decompress for the `info` of an easel_jpeg_decoder, whose room is as
// large as is needed and lives as long as it.
void easel_jpeg_keep_blocks_in_room(struct jpeg_decompress_struct *info);

#endif
