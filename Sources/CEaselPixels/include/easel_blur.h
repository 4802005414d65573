#ifndef EASEL_BLUR_H
#define EASEL_BLUR_H

#include <stddef.h>
#include <stdint.h>

// A box filter with partially weighted edges: (inner * the sum of the 2 * radius + 1 values in the middle + outer * the
// sum of the two beside them) >> shift, rounded. inner and outer are at most 32767, and (2 * radius + 1) * inner + 2 *
// outer differs from 1 << shift by at most 1.
typedef struct {
    int32_t radius;
    int32_t inner;
    int32_t outer;
    int32_t shift;
} easel_box;

// Returns the scratch size in bytes of the functions below, for lines of `length` pixels.
size_t easel_blur_scratch(size_t length);

// Filters up to 16 rows three times horizontally. Rows are extended by their edge pixels. Row offsets and sizes are
// multiples of 64 bytes. The padding is read and written. `plain` disables vector code, with identical results.
void easel_blur_rows(const uint8_t *source, size_t source_stride, uint8_t *target, size_t target_stride, size_t width,
                     size_t count, const easel_box *box, uint8_t *scratch, int plain);

// Filters 16 columns of pixels three times vertically, in place.
void easel_blur_columns(uint8_t *pixels, size_t stride, size_t height, const easel_box *box, uint8_t *scratch, int plain);

#endif
