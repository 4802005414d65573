#ifndef EASEL_JPEG_ENTROPY_H
#define EASEL_JPEG_ENTROPY_H

#include "easel_jpeg_error.h"

// Half of the time of a baseline JPEG goes into its Huffman codes, and of one that is decoded at an eighth nearly all. This
// decodes them in libjpeg's place: what is whole and regular, several codes with one look into a table. Of anything else it
// knows nothing, and jumps to the error's target for libjpeg to begin anew: so whatever libjpeg makes of a damaged file stays
// what comes out.
typedef struct easel_jpeg_entropy easel_jpeg_entropy;

// Takes over a decoder that has begun, whose source has all of the file. NULL where the file is of another kind, or too
// small to be worth the tables. It is freed with the decoder's memory.
easel_jpeg_entropy *easel_jpeg_entropy_install(struct jpeg_decompress_struct *info, easel_jpeg_error *error);

// Whether the jump was for libjpeg to begin anew.
bool easel_jpeg_entropy_has_given_up(const easel_jpeg_entropy *entropy);

#endif
