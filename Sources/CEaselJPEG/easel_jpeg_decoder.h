#ifndef EASEL_JPEG_DECODER_H
#define EASEL_JPEG_DECODER_H

#include "easel_jpeg.h"
#include "easel_jpeg_blocks.h"
#include "easel_jpeg_entropy.h"
#include "easel_jpeg_error.h"

// A file may hold any number of scans, each of which costs a pass over the picture. Encoders write about ten.
enum { EASEL_JPEG_MOST_SCANS = 200 };

struct easel_jpeg_decoder {
    struct jpeg_decompress_struct info; // first, so that libjpeg's calls find the rest
    easel_jpeg_error error;
    bool is_first_scan_enough;
    easel_jpeg_room room;
    JOCTET *profile;
    const uint8_t *bytes; // the file; NULL for one that arrives, and for one that is left to libjpeg
    size_t count;
    easel_jpeg_entropy *entropy;  // NULL where libjpeg decodes the codes
    easel_jpeg_decoder *successor; // begins anew where `entropy` gave up
};

// What the markers up to the first scan say.
void easel_jpeg_decoder_fill_header(const struct jpeg_decompress_struct *info, easel_jpeg_header *header);

#endif
