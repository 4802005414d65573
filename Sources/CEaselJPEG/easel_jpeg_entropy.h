#ifndef EASEL_JPEG_ENTROPY_H
#define EASEL_JPEG_ENTROPY_H

#include "easel_jpeg_blocks.h"
#include "easel_jpeg_error.h"
#include "easel_jpeg_parts.h"

// Half of the time of a baseline JPEG goes into its Huffman codes, of one that is decoded at an eighth nearly all, and of a
// progressive one four fifths. This decodes them in libjpeg's place: what is whole and regular. Of anything else it knows
// nothing, and jumps to the error's target for libjpeg to begin anew: so whatever libjpeg makes of a damaged file stays what
// comes out.
typedef struct easel_jpeg_entropy easel_jpeg_entropy;

// Whether the file is of a kind that can be taken over, and large enough to be worth the tables.
bool easel_jpeg_entropy_is_worth_it(const struct jpeg_decompress_struct *info);

// Takes over a decoder that has begun, whose source has all of the file. NULL where the file is of another kind. It is freed with
// the decoder's memory.
//
// `room` is what the blocks of several scans are kept in; without any, only the first scan may be read.
easel_jpeg_entropy *easel_jpeg_entropy_install(
    struct jpeg_decompress_struct *info, easel_jpeg_error *error, const easel_jpeg_room *room);

// Whether the jump was for libjpeg to begin anew.
bool easel_jpeg_entropy_has_given_up(const easel_jpeg_entropy *entropy);

#endif
