#ifndef EASEL_PIXELS_H
#define EASEL_PIXELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "easel_memory.h"

// The performance-critical loops over pixels. They neither allocate nor check bounds: each function documents how many
// bytes it reads and writes, and the Swift callers guarantee them.
//
// Every kernel has two variants from one source, with identical results on every processor.

typedef enum {
    EASEL_BASELINE, // The baseline of the architecture: SSE2, NEON.
    EASEL_WIDE,     // AVX2, or the baseline if the processor lacks it.
} easel_instructions;

// Returns the best variant for this processor.
easel_instructions easel_pixels_instructions(void);

// Reverses a row's filter in place (PNG 9.2). `filter` is 1 to 4, `distance` the bytes of a pixel: 1, 2, 3, 4, 6 or 8.
// Both rows have `count` bytes, followed by 8 readable bytes.
void easel_unfilter(
    easel_instructions level, int filter, uint8_t *row, const uint8_t *previous, size_t count, size_t distance);

// Converts R, G, B to B, G, R, 255. Reads `3 * count` bytes, and up to 8 more.
void easel_expand_rgb(easel_instructions level, const uint8_t *samples, uint8_t *pixels, size_t count);

// Converts straight R, G, B, A to premultiplied B, G, R, A, rounded. Returns the bitwise AND of all alphas. Works in
// place.
uint8_t easel_expand_rgba(easel_instructions level, const uint8_t *samples, uint8_t *pixels, size_t count);

// Converts straight B, G, R, A to premultiplied, as above.
uint8_t easel_premultiply(easel_instructions level, const uint8_t *samples, uint8_t *pixels, size_t count);

// Returns the bitwise AND of all alphas: 255 if every pixel is opaque.
uint8_t easel_common_alpha(easel_instructions level, const uint8_t *pixels, size_t count);

// Sets every alpha to 255.
void easel_make_opaque(easel_instructions level, uint8_t *pixels, size_t count);

// Reverses `count` pixels. `passes_cache` selects non-temporal stores, which are faster if the image exceeds the cache.
void easel_mirror(
    easel_instructions level, const uint8_t *pixels, uint8_t *mirrored, size_t count, bool passes_cache);

// Moves the pixel in column x of row y of `source` to column y of row x of `target`. Row steps are in bytes and can be
// negative: starting with the last row rotates the image. `passes_cache` as above.
void easel_transpose(
    easel_instructions level, const uint8_t *source, ptrdiff_t source_step, uint8_t *target, ptrdiff_t target_step,
    size_t width, size_t height, bool passes_cache);

// The same two functions for pixels of 16 bits per channel.
void easel_mirror_deep(easel_instructions level, const uint8_t *pixels, uint8_t *mirrored, size_t count);
void easel_transpose_deep(
    easel_instructions level, const uint8_t *source, ptrdiff_t source_step, uint8_t *target, ptrdiff_t target_step,
    size_t width, size_t height);

// Adds up `row_count` rows, each byte times its row's weight of 14 bits, to values with 6 fractional bits. Rows and
// `line` have `count` components, a multiple of 64. Products are rounded before they are added.
void easel_blend_rows(
    easel_instructions level, const uint8_t *rows, size_t bytes_per_row, const int16_t *weights, size_t row_count,
    int16_t *line, size_t count);

// Adds up adjacent pixels and writes `count` final ones, clamped to 0...255 and to their alpha.
//
// Pixel x sums `taps` pixels of `line` from `starts[x]`, times `weights[x * taps...]`. `taps` is a multiple of 4.
void easel_blend_columns(
    easel_instructions level, const int16_t *line, const int32_t *starts, const int16_t *weights, size_t taps,
    uint8_t *pixels, size_t count);

// Adds up at most 128 rows, byte by byte. Rows and `sums` have `count` components, a multiple of 64.
void easel_add_rows(
    easel_instructions level, const uint8_t *rows, size_t bytes_per_row, size_t row_count, uint16_t *sums, size_t count);

// Computes the means of blocks of `block_width` columns from the sums of their rows: (sum + half) * reciprocal / 2^24.
// Reads `4 * block_width * count` sums, and writes `count` pixels.
void easel_average_columns(
    easel_instructions level, const uint16_t *sums, size_t block_width, uint32_t half, uint32_t reciprocal,
    uint8_t *pixels, size_t count);

// Adds up weighted rows in the order of the weights. `rows` is a ring of `row_count` rows of `row_length` numbers, a
// multiple of 16. The first weight is for row `first`.
void easel_blend_light_rows(
    easel_instructions level, const float *rows, size_t row_length, size_t row_count, size_t first, const float *weights,
    size_t weight_count, float *line);

// Like easel_blend_columns, for pixels of four numbers. Adds up even taps, odd taps, then both sums. `taps` is even.
void easel_blend_light_columns(
    easel_instructions level, const float *line, const int32_t *starts, const float *weights, size_t taps, float *colors,
    size_t count);

#endif
