#ifndef EASEL_TIFF_H
#define EASEL_TIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libtiff for files in memory. libtiff reports errors to variadic functions, which Swift cannot implement, and prints
// them by default. Here the reader stores the message.

typedef struct easel_tiff_reader easel_tiff_reader;

typedef enum {
    EASEL_TIFF_GRAY,
    EASEL_TIFF_GRAY_INVERTED, // 0 is white
    EASEL_TIFF_RGB,
    EASEL_TIFF_CMYK,
    EASEL_TIFF_PALETTE, // with further samples, of which the first may be alpha
    EASEL_TIFF_OTHER // only easel_tiff_read_block supports its colors
} easel_tiff_colors;

typedef enum { EASEL_TIFF_OPAQUE, EASEL_TIFF_PREMULTIPLIED, EASEL_TIFF_STRAIGHT } easel_tiff_alpha;

typedef enum { EASEL_TIFF_UNSIGNED, EASEL_TIFF_SIGNED, EASEL_TIFF_FLOAT, EASEL_TIFF_COMPLEX } easel_tiff_format;

// The maximum number of planes to read: those of colors and alpha.
#define EASEL_TIFF_MAX_PLANES 4

typedef struct {
    uint32_t width, height;
    uint32_t orientation; // the value of the tag; 1 without one
    uint32_t bits_per_sample;
    uint32_t samples_per_pixel;
    easel_tiff_format format;
    bool is_planar; // each sample in a separate plane
    easel_tiff_colors colors;
    easel_tiff_alpha alpha;
    const uint16_t *palette[3]; // colors by sample value; NULL without one; valid while the reader is open
    uint32_t compression;
    bool has_decoder; // whether libtiff supports the compression
    bool is_tiled;
    uint32_t block_width, block_height; // the size of a tile or strip
    const uint8_t *profile;             // the ICC profile; NULL without one; valid while the reader is open
    uint32_t profile_count;
} easel_tiff_header;

// Opens a file, which must outlive the reader. Returns NULL if it is not a TIFF. Limits each allocation to
// memory_limit.
easel_tiff_reader *easel_tiff_reader_open(const uint8_t *bytes, size_t count, size_t memory_limit);
void easel_tiff_reader_close(easel_tiff_reader *reader);

// Reads the header of the first page.
bool easel_tiff_reader_read_header(easel_tiff_reader *reader, easel_tiff_header *header);

// Return the byte count of a row of a strip, and of a row of a tile; 0 on overflow.
size_t easel_tiff_row_size(easel_tiff_reader *reader);
size_t easel_tiff_tile_row_size(easel_tiff_reader *reader);

// Reads a row of a striped image; plane is 0 unless it is planar. The rows of a plane are read in order.
bool easel_tiff_read_row(easel_tiff_reader *reader, uint8_t *bytes, uint32_t row, uint32_t plane);

// Reads one tile, of block_height rows of easel_tiff_tile_row_size bytes.
bool easel_tiff_read_tile(
    easel_tiff_reader *reader, uint8_t *bytes, size_t count, uint32_t x, uint32_t y, uint32_t plane);

// Returns whether libtiff can convert the image to RGBA, whatever its colors.
bool easel_tiff_begin_blocks(easel_tiff_reader *reader);

// Reads stored rows from `row`: premultiplied R, G, B, A, without padding. Unreadable pixels are unchanged.
bool easel_tiff_read_block(easel_tiff_reader *reader, uint32_t *pixels, uint32_t row, uint32_t row_count);

// Returns the message of libtiff's first failure, or "".
const char *easel_tiff_message(const easel_tiff_reader *reader);

// Returns the version of libtiff.
const char *easel_tiff_version(void);

#endif
