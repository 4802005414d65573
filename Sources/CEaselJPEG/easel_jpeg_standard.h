#ifndef EASEL_JPEG_STANDARD_H
#define EASEL_JPEG_STANDARD_H

#include "easel_jpeg_codes.h"

// The Huffman codes that the standard gives as an example (ITU-T T.81, annex K.3), and that every writer uses that does not count
// the codes of each picture first. What is made of them is made once for the process: of a picture of 1200 x 900 pixels it would
// take a fiftieth of the time.
typedef struct easel_jpeg_standard easel_jpeg_standard;

// Those with these codes of coefficients, or NULL for any other codes. They stay for ever.
const easel_jpeg_standard *easel_jpeg_standard_find(const JHUFF_TBL *table);
const easel_jpeg_codes *easel_jpeg_standard_codes(const easel_jpeg_standard *standard);
const uint64_t *easel_jpeg_standard_pairs(const easel_jpeg_standard *standard);
const uint16_t *easel_jpeg_standard_skips(const easel_jpeg_standard *standard);

// The codes of means in the table, or NULL for any other codes.
const easel_jpeg_codes *easel_jpeg_standard_means(const JHUFF_TBL *table);

#endif
