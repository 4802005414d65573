#ifndef EASEL_JPEG_DECODER_H
#define EASEL_JPEG_DECODER_H

#include "easel_jpeg.h"
#include "easel_jpeg_blocks.h"
#include "easel_jpeg_error.h"

// A file may hold any number of scans, each of which costs a pass over the image. Encoders write about ten.
enum { EASEL_JPEG_MOST_SCANS = 200 };

struct easel_jpeg_decoder {
    struct jpeg_decompress_struct info; // first, so that libjpeg's calls find the rest
    easel_jpeg_error error;
    const uint8_t *bytes;
    size_t count;
    bool is_first_scan_enough;
    int scan_count; // the scans that were read whole
    int last_scan;  // behind which there is an error; 0 where none was met
    easel_jpeg_blocks blocks;
    JOCTET *profile;
};

// Fills the header with what the markers up to the first scan say. Fails, by a jump, for samples of more or less than 8 bits: some
// versions of libjpeg read their header, and refuse their rows.
void easel_jpeg_decoder_fill_header(struct jpeg_decompress_struct *info, easel_jpeg_header *header);

#endif
