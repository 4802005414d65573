#ifndef EASEL_PIXELS_H
#define EASEL_PIXELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "easel_memory.h"

// The loops that pixels spend their time in. Nothing here allocates, and nothing checks: each function says how many
// bytes it reads and writes, and its callers in Swift have checked that they are there.
//
// Every kernel comes in two makes of one source, and gives the same bytes in both and on every processor.

typedef enum {
    EASEL_BASELINE, // What every processor of the kind has: SSE2, NEON.
    EASEL_WIDE,     // AVX2; the same as the baseline where the processor has none.
} easel_instructions;

// The best that this processor has.
easel_instructions easel_pixels_instructions(void);

// PNG 9.2: takes back the prediction of a row in place. `filter` is 1 to 4, `distance` the bytes of a pixel: 1, 2, 3, 4,
// 6 or 8. Both rows have `count` bytes, and 8 more behind them that may be read.
void easel_unfilter(
    easel_instructions level, int filter, uint8_t *row, const uint8_t *previous, size_t count, size_t distance);

// R, G, B to B, G, R, 255. Reads `3 * count` bytes, and up to 8 more.
void easel_expand_rgb(easel_instructions level, const uint8_t *samples, uint8_t *pixels, size_t count);

// Straight R, G, B, A to premultiplied B, G, R, A, rounded to nearest. Returns all alphas, combined by and.
// The two may be the same.
uint8_t easel_expand_rgba(easel_instructions level, const uint8_t *samples, uint8_t *pixels, size_t count);

// Straight B, G, R, A to premultiplied, as above.
uint8_t easel_premultiply(easel_instructions level, const uint8_t *samples, uint8_t *pixels, size_t count);

// All alphas of `count` pixels, combined by and: 255 where every pixel is opaque.
uint8_t easel_common_alpha(easel_instructions level, const uint8_t *pixels, size_t count);

// Sets every alpha to 255.
void easel_make_opaque(easel_instructions level, uint8_t *pixels, size_t count);

// `count` pixels in reverse. With `passes_cache` they are written to memory alone, which is faster where all of the image
// would not stay in the cache anyway.
void easel_mirror(
    easel_instructions level, const uint8_t *pixels, uint8_t *mirrored, size_t count, bool passes_cache);

// Puts the pixel in column x of row y of `source` at column y of row x of `target`. Steps from row to row are in bytes,
// and may be negative: with the last row first, a transposed image becomes one that is turned. `passes_cache` as above.
void easel_transpose(
    easel_instructions level, const uint8_t *source, ptrdiff_t source_step, uint8_t *target, ptrdiff_t target_step,
    size_t width, size_t height, bool passes_cache);

// The two for pixels of 16 bits a channel.
void easel_mirror_deep(easel_instructions level, const uint8_t *pixels, uint8_t *mirrored, size_t count);
void easel_transpose_deep(
    easel_instructions level, const uint8_t *source, ptrdiff_t source_step, uint8_t *target, ptrdiff_t target_step,
    size_t width, size_t height);

// Adds up `row_count` rows, each byte times its row's weight of 14 bits, to values with 6 bits behind the point.
// Rows and `line` have `count` components, a multiple of 64. A product is rounded before it is added.
void easel_blend_rows(
    easel_instructions level, const uint8_t *rows, size_t bytes_per_row, const int16_t *weights, size_t row_count,
    int16_t *line, size_t count);

// Adds up pixels side by side and writes `count` finished ones: cut to 0...255, and to their alpha.
//
// Pixel x comes from `taps` pixels of `line` from `starts[x]` on, times `weights[x * taps...]`. `taps` is a multiple of 4.
void easel_blend_columns(
    easel_instructions level, const int16_t *line, const int32_t *starts, const int16_t *weights, size_t taps,
    uint8_t *pixels, size_t count);

// Adds up `row_count` rows of up to 128, byte by byte. Rows and `sums` have `count` components, a multiple of 64.
void easel_add_rows(
    easel_instructions level, const uint8_t *rows, size_t bytes_per_row, size_t row_count, uint16_t *sums, size_t count);

// The means of blocks of `block_width` columns, from the sums of their rows: (sum + half) * reciprocal / 2^24.
// Reads `4 * block_width * count` sums, and writes `count` pixels.
void easel_average_columns(
    easel_instructions level, const uint16_t *sums, size_t block_width, uint32_t half, uint32_t reciprocal,
    uint8_t *pixels, size_t count);

// The light of premultiplied pixels, added up over `row_count` rows from the first to the last: four numbers a pixel, which
// are premultiplied too. `lights` has one for each of 256 levels, and 1 for the last.
void easel_add_light(
    easel_instructions level, const uint8_t *rows, size_t bytes_per_row, size_t row_count, const float *lights, float *sums,
    size_t count);

// The means of `count` blocks of `block_width` columns, from the sums of their rows, which are added from left to right and
// divided by `area`.
void easel_average_light(
    easel_instructions level, const float *sums, size_t block_width, float area, float *means, size_t count);

// Adds up rows, each times its weight, in the order of the weights. `rows` is a ring of `row_count` rows of `row_length`
// numbers, a multiple of 16; `first` is the row that the first weight is for.
void easel_blend_light_rows(
    easel_instructions level, const float *rows, size_t row_length, size_t row_count, size_t first, const float *weights,
    size_t weight_count, float *line);

// Adds up pixels of four numbers side by side, as easel_blend_columns does: those at even places, those at odd places, and
// then the two sums. `taps` is even.
void easel_blend_light_columns(
    easel_instructions level, const float *line, const int32_t *starts, const float *weights, size_t taps, float *colors,
    size_t count);

#endif
