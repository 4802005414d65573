#ifndef EASEL_JPEG_H
#define EASEL_JPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libjpeg reports errors by longjmp, which must not cross frames of Swift. Every function here sets its own target,
// so that no jump leaves this library; failures are return values.

typedef struct easel_jpeg_decoder easel_jpeg_decoder;

typedef struct {
    uint32_t width, height;
    int components;        // 1 gray, 3 colour, 4 CMYK
    bool has_adobe_marker; // CMYK is stored inverted then
    bool has_dc_scan;      // the first scan alone is the image at an eighth of its size
    const uint8_t *exif;   // NULL without one; lives until scans are consumed
    size_t exif_count;
} easel_jpeg_header;

typedef enum { EASEL_JPEG_FAILED, EASEL_JPEG_MORE, EASEL_JPEG_READY } easel_jpeg_state;

// The bytes must live as long as the decoder. NULL without memory.
easel_jpeg_decoder *easel_jpeg_decoder_open(const uint8_t *bytes, size_t count);
void easel_jpeg_decoder_close(easel_jpeg_decoder *decoder);

// The header is filled as far as it was read, even on failure.
bool easel_jpeg_decoder_read_header(easel_jpeg_decoder *decoder, easel_jpeg_header *header);

// The ICC profile, which lives until the next call or as long as the decoder; NULL without one, or with a damaged one.
const uint8_t *easel_jpeg_decoder_profile(easel_jpeg_decoder *decoder, size_t *count);

// Begins decoding at 1/denominator (1, 2, 4 or 8) of the size, and gives the size of the result: a lossless file is decoded at its
// full size. Rows are B, G, R, 255, or for four components C, M, Y, K as stored.
//
// With first_scan_only, what follows the first scan is not decoded: damage in it is not noticed, only that the file ends
// early.
bool easel_jpeg_decoder_begin(
    easel_jpeg_decoder *decoder, int denominator, bool first_scan_only, uint32_t *width, uint32_t *height);

// Reads some of a file of several scans. Rows can be read once it is ready; a file of one scan is so at once.
easel_jpeg_state easel_jpeg_decoder_consume(easel_jpeg_decoder *decoder, int steps);

// Reads up to row_count rows. Returns how many, or -1 on failure.
int easel_jpeg_decoder_read_rows(
    easel_jpeg_decoder *decoder, uint8_t *rows, size_t bytes_per_row, int row_count);

// Whether data was missing or made no sense, which libjpeg only warns of: it fills the rest with gray.
bool easel_jpeg_decoder_is_damaged(const easel_jpeg_decoder *decoder);

// Whether the failure is that libjpeg cannot decode files of this kind.
bool easel_jpeg_decoder_is_unsupported(const easel_jpeg_decoder *decoder);

// What libjpeg said of the failure or the damage.
const char *easel_jpeg_decoder_message(const easel_jpeg_decoder *decoder);

typedef struct easel_jpeg_encoder easel_jpeg_encoder;

// Quality is 1 to 100. NULL without memory.
easel_jpeg_encoder *easel_jpeg_encoder_open(
    uint32_t width, uint32_t height, int quality, bool has_full_chroma, bool is_progressive);
void easel_jpeg_encoder_close(easel_jpeg_encoder *encoder);

// An ICC profile, before the rows.
bool easel_jpeg_encoder_write_profile(easel_jpeg_encoder *encoder, const uint8_t *bytes, size_t count);

// Rows of B, G, R and a byte that is ignored.
bool easel_jpeg_encoder_write_rows(
    easel_jpeg_encoder *encoder, const uint8_t *rows, size_t bytes_per_row, int row_count);

// The file, which lives as long as the encoder. NULL on failure.
const uint8_t *easel_jpeg_encoder_finish(easel_jpeg_encoder *encoder, size_t *count);

#endif
