#include "easel_jpeg_stream.h"
#include "easel_jpeg_decoder.h"

#include <stdlib.h>
#include <string.h>

// Bytes from which on libjpeg is not asked about the same place for every few more. Units of a scan are shorter, so
// only a marker that it reads as a whole can wait longer: it would be read again from its start each time.
enum { LONGEST_UNIT = 4 << 10 };

struct easel_jpeg_stream {
    easel_jpeg_decoder decoder; // first, so that closing the one closes the other
    struct jpeg_source_mgr source;
    uint8_t *bytes;
    size_t capacity;
    size_t skipped; // bytes to come that a marker says are not for us
    size_t stalled; // bytes that did not suffice last time
    int scan_count;
    bool is_sufficient;
    bool has_output;
};

static void do_nothing(j_decompress_ptr info)
{
    (void)info;
}

static boolean wait_for_more(j_decompress_ptr info)
{
    (void)info;
    return FALSE;
}

static void skip(j_decompress_ptr info, long count)
{
    if (count <= 0) {
        return;
    }
    easel_jpeg_stream *stream = info->client_data;
    size_t here = (size_t)count < stream->source.bytes_in_buffer ? (size_t)count : stream->source.bytes_in_buffer;
    stream->source.next_input_byte += here;
    stream->source.bytes_in_buffer -= here;
    stream->skipped += (size_t)count - here;
}

easel_jpeg_stream *easel_jpeg_stream_open(void)
{
    easel_jpeg_stream *stream = calloc(1, sizeof *stream);
    if (!stream) {
        return NULL;
    }
    struct jpeg_decompress_struct *info = &stream->decoder.info;
    info->err = easel_jpeg_error_install(&stream->decoder.error);
    if (setjmp(stream->decoder.error.target)) {
        easel_jpeg_stream_close(stream);
        return NULL;
    }
    jpeg_create_decompress(info);
    info->client_data = stream;
    stream->source.init_source = do_nothing;
    stream->source.fill_input_buffer = wait_for_more;
    stream->source.skip_input_data = skip;
    stream->source.resync_to_restart = jpeg_resync_to_restart;
    stream->source.term_source = do_nothing;
    info->src = &stream->source;
    jpeg_save_markers(info, JPEG_APP0 + 1, 0xFFFF);
    jpeg_save_markers(info, JPEG_APP0 + 2, 0xFFFF);
    return stream;
}

void easel_jpeg_stream_close(easel_jpeg_stream *stream)
{
    free(stream->bytes);
    easel_jpeg_decoder_close(&stream->decoder);
}

easel_jpeg_decoder *easel_jpeg_stream_decoder(easel_jpeg_stream *stream)
{
    return &stream->decoder;
}

bool easel_jpeg_stream_append(easel_jpeg_stream *stream, const uint8_t *bytes, size_t count)
{
    size_t skipped = stream->skipped < count ? stream->skipped : count;
    stream->skipped -= skipped;
    bytes += skipped;
    count -= skipped;
    size_t left = stream->source.bytes_in_buffer;
    if (count > SIZE_MAX / 2 - left) {
        return false;
    }
    // What is left is less than a unit: it moves to the front, so that the memory stays that of the longest piece.
    if (left > 0) {
        memmove(stream->bytes, stream->source.next_input_byte, left);
    }
    if (left + count > stream->capacity) {
        uint8_t *grown = realloc(stream->bytes, left + count);
        if (!grown) {
            return false;
        }
        stream->bytes = grown;
        stream->capacity = left + count;
    }
    if (count > 0) {
        memcpy(stream->bytes + left, bytes, count);
    }
    stream->source.next_input_byte = stream->bytes;
    stream->source.bytes_in_buffer = left + count;
    return true;
}

static bool is_worth_trying(const easel_jpeg_stream *stream)
{
    size_t count = stream->source.bytes_in_buffer;
    return count <= LONGEST_UNIT || count >= stream->stalled + stream->stalled / 8;
}

static easel_jpeg_stream_state wait_with(easel_jpeg_stream *stream)
{
    stream->stalled = stream->source.bytes_in_buffer;
    return EASEL_JPEG_STREAM_HUNGRY;
}

easel_jpeg_stream_state easel_jpeg_stream_read_header(easel_jpeg_stream *stream, easel_jpeg_header *header)
{
    struct jpeg_decompress_struct *info = &stream->decoder.info;
    memset(header, 0, sizeof *header);
    if (!is_worth_trying(stream)) {
        return EASEL_JPEG_STREAM_HUNGRY;
    }
    if (setjmp(stream->decoder.error.target)) {
        header->width = info->image_width;
        header->height = info->image_height;
        return EASEL_JPEG_STREAM_FAILED;
    }
    if (jpeg_read_header(info, TRUE) == JPEG_SUSPENDED) {
        return wait_with(stream);
    }
    easel_jpeg_decoder_fill_header(info, header);
    return EASEL_JPEG_STREAM_DONE;
}

bool easel_jpeg_stream_is_interruptible(const easel_jpeg_stream *stream)
{
    return !stream->decoder.info.arith_code;
}

bool easel_jpeg_stream_has_scans(const easel_jpeg_stream *stream)
{
    return stream->decoder.info.buffered_image;
}

// Where each coefficient stands in its block, in the order in which files have them and libjpeg counts their bits.
static const unsigned char zigzag[DCTSIZE2] = {
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55,
    62, 63,
};

// The largest sum of squares of the steps of lightness whose last bits may be missing. It is that of a quality of 75 at
// half the size, where images without those bits have a structural similarity of 0.99 and more to those with them.
enum { MOST_SQUARED_STEPS = 1250 };

// The samples that a row of a block is decoded to.
static int decoded_width(const jpeg_component_info *component)
{
#if JPEG_LIB_VERSION >= 70
    return component->DCT_h_scaled_size;
#else
    return component->DCT_scaled_size;
#endif
}

// Whether every coefficient that the reduced transforms draw on is known to its last bit but one, and that one is worth
// little.
static bool holds_enough(const struct jpeg_decompress_struct *info)
{
    if (!info->coef_bits || info->scale_denom < 2) {
        return false;
    }
    for (int index = 0; index < info->num_components; index += 1) {
        const jpeg_component_info *component = &info->comp_info[index];
        int size = decoded_width(component);
        unsigned long squared_steps = 0;
        for (int order = 0; order < DCTSIZE2; order += 1) {
            int place = zigzag[order];
            // The transforms leave out what lies beyond their own size, or weigh it little.
            if (place / DCTSIZE >= size || place % DCTSIZE >= size) {
                continue;
            }
            int missing = info->coef_bits[index][order];
            if (missing < 0 || missing > 1) {
                return false;
            }
            if (missing == 1 && component->quant_table) {
                unsigned long step = component->quant_table->quantval[place];
                squared_steps += step * step;
            }
        }
        if (index == 0 && squared_steps > MOST_SQUARED_STEPS) {
            return false;
        }
    }
    return true;
}

easel_jpeg_stream_state easel_jpeg_stream_consume(easel_jpeg_stream *stream, int steps)
{
    struct jpeg_decompress_struct *info = &stream->decoder.info;
    if (!is_worth_trying(stream)) {
        return EASEL_JPEG_STREAM_HUNGRY;
    }
    if (setjmp(stream->decoder.error.target)) {
        return EASEL_JPEG_STREAM_FAILED;
    }
    for (int step = 0; step < steps; step += 1) {
        if (stream->decoder.is_first_scan_enough && stream->scan_count > 0) {
            return EASEL_JPEG_STREAM_DONE;
        }
        switch (jpeg_consume_input(info)) {
        case JPEG_SUSPENDED:
            return wait_with(stream);
        case JPEG_SCAN_COMPLETED:
            // Asked now: the next scan's announcement changes what is said of the coefficients.
            stream->scan_count = info->input_scan_number;
            stream->is_sufficient
                = stream->is_sufficient || stream->decoder.is_first_scan_enough || holds_enough(info);
            break;
        case JPEG_REACHED_EOI:
            stream->scan_count = info->input_scan_number;
            stream->is_sufficient = true;
            return EASEL_JPEG_STREAM_DONE;
        default:
            break;
        }
        if (info->input_scan_number > EASEL_JPEG_MOST_SCANS) {
            strcpy(stream->decoder.error.message, "There are too many scans");
            return EASEL_JPEG_STREAM_FAILED;
        }
    }
    return EASEL_JPEG_STREAM_MORE;
}

int easel_jpeg_stream_scan_count(const easel_jpeg_stream *stream)
{
    return stream->scan_count;
}

bool easel_jpeg_stream_is_sufficient(const easel_jpeg_stream *stream)
{
    return stream->is_sufficient;
}

bool easel_jpeg_stream_start_output(easel_jpeg_stream *stream)
{
    struct jpeg_decompress_struct *info = &stream->decoder.info;
    if (setjmp(stream->decoder.error.target)) {
        return false;
    }
    if (stream->has_output && !jpeg_finish_output(info)) {
        return false;
    }
    stream->has_output = true;
    // All that has come is shown, whatever the number. By that of the last scan, libjpeg would wait for the one after it
    // before it shows the last rows, since it smooths across them.
    return jpeg_start_output(info, stream->scan_count > 1 ? stream->scan_count - 1 : 1);
}

int easel_jpeg_stream_read_rows(easel_jpeg_stream *stream, uint8_t *rows, size_t bytes_per_row, int row_count)
{
    struct jpeg_decompress_struct *info = &stream->decoder.info;
    // Volatile, since it changes between setjmp and a jump.
    volatile int done = 0;
    if (setjmp(stream->decoder.error.target)) {
        return -1;
    }
    while (done < row_count && info->output_scanline < info->output_height) {
        JSAMPROW row = rows + bytes_per_row * (size_t)done;
        if (jpeg_read_scanlines(info, &row, 1) != 1) {
            break;
        }
        done += 1;
    }
    return done;
}
