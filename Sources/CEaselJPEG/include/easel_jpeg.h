#ifndef EASEL_JPEG_H
#define EASEL_JPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libjpeg reports errors by longjmp, which must not cross Swift frames. Every function here sets its own jump target
// and returns failures as values.

typedef struct easel_jpeg_decoder easel_jpeg_decoder;

typedef struct {
    uint32_t width, height;
    int components;   // 1 gray, 3 colour, 4 CMYK
    bool has_dc_scan; // the first scan alone is the image at an eighth of its size
} easel_jpeg_header;

typedef enum { EASEL_JPEG_FAILED, EASEL_JPEG_MORE, EASEL_JPEG_READY } easel_jpeg_state;

// Opens a file. The bytes must stay valid as long as the decoder. Returns NULL if there is no memory.
easel_jpeg_decoder *easel_jpeg_decoder_open(const uint8_t *bytes, size_t count);
void easel_jpeg_decoder_close(easel_jpeg_decoder *decoder);

// Reads the header. On failure, it is filled as far as it was read.
bool easel_jpeg_decoder_read_header(easel_jpeg_decoder *decoder, easel_jpeg_header *header);

// Begins decoding at 1/denominator (1, 2, 4 or 8) of the size, and returns the resulting size: a lossless file is
// decoded at its full size. Rows are B, G, R, 255 or, for four components, C, M, Y, K as stored.
//
// With first_scan_only, data after the first scan is not decoded. Damage in it is not detected, only a missing end.
bool easel_jpeg_decoder_begin(
    easel_jpeg_decoder *decoder, int denominator, bool first_scan_only, uint32_t *width, uint32_t *height);

// Reads a row of blocks, or a header, of a file of several scans. Rows can be read once it is ready; a file of one scan
// is ready at once.
easel_jpeg_state easel_jpeg_decoder_consume(easel_jpeg_decoder *decoder);

// Reads up to row_count rows. Returns their number, or -1 on failure.
int easel_jpeg_decoder_read_rows(
    easel_jpeg_decoder *decoder, uint8_t *rows, size_t bytes_per_row, int row_count);

// Returns whether data was missing or invalid, for which libjpeg only warns and uses gray.
bool easel_jpeg_decoder_is_damaged(const easel_jpeg_decoder *decoder);

// Returns whether the failure is a kind of file that libjpeg cannot decode.
bool easel_jpeg_decoder_is_unsupported(const easel_jpeg_decoder *decoder);

// Returns libjpeg's message for the failure or the damage.
const char *easel_jpeg_decoder_message(const easel_jpeg_decoder *decoder);

typedef struct easel_jpeg_encoder easel_jpeg_encoder;

typedef struct {
    int quality;                           // 1 to 100
    int columns_per_color, rows_per_color; // 1 or 2 pixels that share a sample of colour
    bool has_own_tables;                   // Huffman tables computed for this image
    bool is_progressive;
} easel_jpeg_parameters;

// Opens an encoder. Returns NULL if there is no memory.
easel_jpeg_encoder *easel_jpeg_encoder_open(uint32_t width, uint32_t height, easel_jpeg_parameters parameters);
void easel_jpeg_encoder_close(easel_jpeg_encoder *encoder);

// Writes an ICC profile. Call it before writing rows.
bool easel_jpeg_encoder_write_profile(easel_jpeg_encoder *encoder, const uint8_t *bytes, size_t count);

// Writes rows of B, G, R and an ignored byte.
bool easel_jpeg_encoder_write_rows(
    easel_jpeg_encoder *encoder, const uint8_t *rows, size_t bytes_per_row, int row_count);

// Returns the file, valid as long as the encoder, or NULL on failure.
const uint8_t *easel_jpeg_encoder_finish(easel_jpeg_encoder *encoder, size_t *count);

// The version of libjpeg-turbo, of its headers, or the API version of another libjpeg.
const char *easel_jpeg_version(void);

#endif
