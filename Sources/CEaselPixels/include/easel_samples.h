#ifndef EASEL_SAMPLES_H
#define EASEL_SAMPLES_H

#include "easel_pixels.h"

// The loops of the JPEG reader, which convert blocks of coefficients to samples, and samples to pixels. Like those in
// easel_pixels.h, they neither allocate nor check bounds. All results equal those of libjpeg-turbo's accurate integer
// transform, smooth resampling and color conversion, even for invalid coefficients.

// The number of bytes that may be read and written after the samples of a row.
enum { EASEL_SAMPLE_SLACK = 64 };

// Transforms a block of 8 x 8 coefficients, times `steps`, both in row order, into `side` rows of `side` samples,
// `stride` bytes apart. `side` is 8, 4 or 2. With `is_low`, only the first four rows and columns have coefficients that
// are not 0. With `clears`, the block is set to 0.
void easel_transform(easel_instructions level, int side, int16_t *block, const int16_t *steps, uint8_t *samples,
    size_t stride, bool is_low, bool clears);

// Doubles the samples of a row: each is three quarters of the nearer sample and one quarter of the farther one. Reads
// `count` samples and one more, which equals the last.
void easel_widen(easel_instructions level, const uint8_t *samples, uint8_t *wide, size_t count);

// Doubles the samples of a row between two others, three quarters of the way to `near`.
void easel_widen_between(
    easel_instructions level, const uint8_t *near, const uint8_t *far, uint8_t *wide, size_t count);

// Computes a row between two others: (3 * near + far + bias) / 4.
void easel_blend_samples(
    easel_instructions level, const uint8_t *near, const uint8_t *far, uint8_t *row, int bias, size_t count);

// Converts Y, Cb, Cr to B, G, R, 255. May read EASEL_SAMPLE_SLACK more samples. Writes `4 * count` bytes.
void easel_color_samples(easel_instructions level, const uint8_t *y, const uint8_t *cb, const uint8_t *cr, uint8_t *pixels,
    size_t count);

#endif
