#ifndef EASEL_JPEG_STREAM_H
#define EASEL_JPEG_STREAM_H

#include "easel_jpeg.h"

// A file that arrives in pieces. libjpeg goes as far as the bytes reach and stops between two of its steps; what it has
// read is not read again.

typedef struct easel_jpeg_stream easel_jpeg_stream;

typedef enum {
    EASEL_JPEG_STREAM_FAILED,
    EASEL_JPEG_STREAM_HUNGRY, // it needs bytes that have not come
    EASEL_JPEG_STREAM_MORE,   // there is more to do
    EASEL_JPEG_STREAM_DONE,   // the header, or the file, has come whole
} easel_jpeg_stream_state;

// NULL without memory.
easel_jpeg_stream *easel_jpeg_stream_open(void);
void easel_jpeg_stream_close(easel_jpeg_stream *stream);

// The decoder that the stream feeds: for its profile, its damage and its message, and to begin once the header is there.
easel_jpeg_decoder *easel_jpeg_stream_decoder(easel_jpeg_stream *stream);

// Takes a copy of the bytes that follow. False without memory.
bool easel_jpeg_stream_append(easel_jpeg_stream *stream, const uint8_t *bytes, size_t count);

// The header is filled once it is there, and on failure as far as it was read.
easel_jpeg_stream_state easel_jpeg_stream_read_header(easel_jpeg_stream *stream, easel_jpeg_header *header);

// Whether pieces of the file can be decoded: not those of arithmetic coding, which libjpeg cannot interrupt.
bool easel_jpeg_stream_is_interruptible(const easel_jpeg_stream *stream);

// Whether the image comes in several scans, which are consumed, and then shown; else its rows are read as they come.
bool easel_jpeg_stream_has_scans(const easel_jpeg_stream *stream);

// Reads on in a file of several scans.
easel_jpeg_stream_state easel_jpeg_stream_consume(easel_jpeg_stream *stream, int steps);

// The scans that have come whole.
int easel_jpeg_stream_scan_count(const easel_jpeg_stream *stream);

// Whether what is still to come would hardly be seen at the scale that decoding began with.
bool easel_jpeg_stream_is_sufficient(const easel_jpeg_stream *stream);

// Starts to show the scans that have come, or the first one as far as it has. To be started again only when a second or
// later one has come whole.
bool easel_jpeg_stream_start_output(easel_jpeg_stream *stream);

// Reads up to row_count rows, fewer where their bytes have not come. Returns how many, or -1 on failure.
int easel_jpeg_stream_read_rows(easel_jpeg_stream *stream, uint8_t *rows, size_t bytes_per_row, int row_count);

#endif
