#ifndef EASEL_COLOR_H
#define EASEL_COLOR_H

#include <stddef.h>
#include <stdint.h>

// A conversion between two RGB spaces that differ by curves and a matrix. Light is counted from 0 to EASEL_COLOR_ONE, and
// so are the matrix's numbers: their products have EASEL_COLOR_SHIFT bits too many.
enum { EASEL_COLOR_SHIFT = 14, EASEL_COLOR_ONE = 1 << EASEL_COLOR_SHIFT };

// What each value of a component gives to blue, green and red of the result; blue's have the rounding added. One addition
// of three such rows is a pixel's light, which is faster than multiplying, and far faster than gathering.
typedef struct {
    int32_t red[256][4], green[256][4], blue[256][4];
} easel_color_matrix;

// Converts premultiplied pixels, blue in the lowest byte, where they are. `curve` has the value of each of
// EASEL_COLOR_ONE + 1 amounts of light. Both functions give the same bytes.
void easel_color_convert(const easel_color_matrix *matrix, const uint8_t *curve, uint32_t *pixels, size_t count);
void easel_color_convert_plain(const easel_color_matrix *matrix, const uint8_t *curve, uint32_t *pixels, size_t count);

// Replaces each component by a table's value, for gray images: premultiplied, where they are.
void easel_color_look_up(const uint8_t table[256], uint32_t *pixels, size_t count);

// Divides by alpha, and multiplies with it again, for conversions that others make in between.
void easel_color_straighten(const uint32_t *pixels, uint32_t *straight, size_t count);
void easel_color_premultiply(const uint32_t *straight, uint32_t *pixels, size_t count);

#endif
