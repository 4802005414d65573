#ifndef EASEL_BLUR_H
#define EASEL_BLUR_H

#include <stddef.h>
#include <stdint.h>

// A box filter whose outermost two values count in part: (inner * the sum of the 2 * radius + 1 values in the middle
// + outer * the sum of the two beside them) >> shift, rounded. inner and outer are at most 32767, and
// (2 * radius + 1) * inner + 2 * outer is 1 << shift, give or take 1.
typedef struct {
    int32_t radius;
    int32_t inner;
    int32_t outer;
    int32_t shift;
} easel_box;

// Bytes that the functions below need to work in, for lines of `length` pixels.
size_t easel_blur_scratch(size_t length);

// Filters up to 16 rows three times across. Beyond its ends a row goes on with its last pixel. Rows begin at multiples of
// 64 bytes and have a multiple of that; what fills them up is read and written too. With plain set no special
// instructions are used; the result is the same to the byte.
void easel_blur_rows(const uint8_t *source, size_t source_stride, uint8_t *target, size_t target_stride, size_t width,
                     size_t count, const easel_box *box, uint8_t *scratch, int plain);

// Filters 16 columns of pixels three times down, in place.
void easel_blur_columns(uint8_t *pixels, size_t stride, size_t height, const easel_box *box, uint8_t *scratch, int plain);

#endif
