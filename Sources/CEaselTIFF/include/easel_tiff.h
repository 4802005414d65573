#ifndef EASEL_TIFF_H
#define EASEL_TIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libtiff over bytes in memory. It reports errors through functions with variable arguments, which Swift cannot write, and
// by default prints them. What it says stays in the reader.

typedef struct easel_tiff_reader easel_tiff_reader;

typedef enum {
    EASEL_TIFF_GRAY,
    EASEL_TIFF_GRAY_INVERTED, // 0 is white
    EASEL_TIFF_RGB,
    EASEL_TIFF_CMYK,
    EASEL_TIFF_PALETTE, // with further samples, of which the first may be alpha
    EASEL_TIFF_OTHER // only easel_tiff_read_block has its colours
} easel_tiff_colors;

typedef enum { EASEL_TIFF_OPAQUE, EASEL_TIFF_PREMULTIPLIED, EASEL_TIFF_STRAIGHT } easel_tiff_alpha;

typedef enum { EASEL_TIFF_UNSIGNED, EASEL_TIFF_SIGNED, EASEL_TIFF_FLOAT, EASEL_TIFF_COMPLEX } easel_tiff_format;

// Planes that are read of an image: those of colours and alpha.
#define EASEL_TIFF_MOST_PLANES 4

typedef struct {
    uint32_t width, height;
    uint32_t orientation; // as the tag has it; 1 without one
    uint32_t bits_per_sample;
    uint32_t samples_per_pixel;
    easel_tiff_format format;
    bool is_planar; // each sample in a plane of its own
    easel_tiff_colors colors;
    easel_tiff_alpha alpha;
    const uint16_t *palette[3]; // red, green and blue, each for every value of a sample; NULL without one; lives as the reader
    uint32_t compression;
    bool has_decoder; // whether this machine's libtiff knows the compression
    bool is_tiled;
    uint32_t block_width, block_height; // of a tile, or of a strip
    const uint8_t *profile;             // ICC; NULL without one; lives as long as the reader
    uint32_t profile_count;
} easel_tiff_header;

// The bytes must live as long as the reader. NULL for what is no TIFF. No single allocation of libtiff's is larger than
// memory_limit.
easel_tiff_reader *easel_tiff_reader_open(const uint8_t *bytes, size_t count, size_t memory_limit);
void easel_tiff_reader_close(easel_tiff_reader *reader);

// Of the first page.
bool easel_tiff_reader_read_header(easel_tiff_reader *reader, easel_tiff_header *header);

// Bytes of a row of a strip, and of a row of a tile; 0 where they do not fit the machine.
size_t easel_tiff_row_size(easel_tiff_reader *reader);
size_t easel_tiff_tile_row_size(easel_tiff_reader *reader);

// One row of an image in strips, of one plane where it is planar; else plane is 0. Rows of a plane are read from the top on.
bool easel_tiff_read_row(easel_tiff_reader *reader, uint8_t *bytes, uint32_t row, uint32_t plane);

// One tile, of block_height rows of easel_tiff_tile_row_size bytes.
bool easel_tiff_read_tile(
    easel_tiff_reader *reader, uint8_t *bytes, size_t count, uint32_t x, uint32_t y, uint32_t plane);

// Whether libtiff can turn the image into RGBA, whatever its colours.
bool easel_tiff_begin_blocks(easel_tiff_reader *reader);

// Rows from `row` on as stored, R, G, B, A premultiplied, `width` pixels each, without padding. Pixels that cannot be read
// are left as they are.
bool easel_tiff_read_block(easel_tiff_reader *reader, uint32_t *pixels, uint32_t row, uint32_t row_count);

// What libtiff said of the first failure, or "".
const char *easel_tiff_message(const easel_tiff_reader *reader);

#endif
