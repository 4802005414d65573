#ifndef EASEL_COLOR_H
#define EASEL_COLOR_H

#include <stddef.h>
#include <stdint.h>

// A conversion between RGB spaces by curves and a matrix. Light and matrix coefficients are fixed-point numbers with a
// unit of EASEL_COLOR_ONE, so their products have EASEL_COLOR_SHIFT extra bits.
enum { EASEL_COLOR_SHIFT = 14, EASEL_COLOR_ONE = 1 << EASEL_COLOR_SHIFT };

// The contributions of each component value to blue, green and red of the result. Those of blue include the rounding.
// The sum of three rows is a pixel's light, faster than by multiplication, and far faster than by gathers.
typedef struct {
    int32_t red[256][4], green[256][4], blue[256][4];
} easel_color_matrix;

// Converts premultiplied pixels in place, blue in the lowest byte. `curve` has the value for each of EASEL_COLOR_ONE +
// 1 amounts of light. Both functions return identical bytes.
void easel_color_convert(const easel_color_matrix *matrix, const uint8_t *curve, uint32_t *pixels, size_t count);
void easel_color_convert_plain(const easel_color_matrix *matrix, const uint8_t *curve, uint32_t *pixels, size_t count);

// Maps each component of gray, premultiplied pixels through a table, in place.
void easel_color_map(const uint8_t table[256], uint32_t *pixels, size_t count);

// Divide by alpha, and multiply by it, for conversions that need straight pixels.
void easel_color_straighten(const uint32_t *pixels, uint32_t *straight, size_t count);
void easel_color_premultiply(const uint32_t *straight, uint32_t *pixels, size_t count);

#endif
