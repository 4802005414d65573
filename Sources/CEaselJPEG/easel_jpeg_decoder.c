#include "easel_jpeg.h"
#include "easel_jpeg_error.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

// The limit of scans, each of which costs a pass over the image. Encoders write about ten.
enum { MAX_SCANS = 200 };

struct easel_jpeg_decoder {
    struct jpeg_decompress_struct info;
    easel_jpeg_error error;
    const uint8_t *bytes;
    size_t count;
    bool uses_first_scan_only;
    int scan_count; // the number of complete scans
    int last_scan;  // the last scan before an error; 0 without an error
};

easel_jpeg_decoder *easel_jpeg_decoder_open(const uint8_t *bytes, size_t count)
{
    easel_jpeg_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) {
        return NULL;
    }
    decoder->info.err = easel_jpeg_error_install(&decoder->error);
    if (setjmp(decoder->error.target)) {
        easel_jpeg_decoder_close(decoder);
        return NULL;
    }
    jpeg_create_decompress(&decoder->info);
    decoder->bytes = bytes;
    decoder->count = count;
    jpeg_mem_src(&decoder->info, bytes, (unsigned long)count);
    return decoder;
}

void easel_jpeg_decoder_close(easel_jpeg_decoder *decoder)
{
    jpeg_destroy_decompress(&decoder->info);
    free(decoder);
}

bool easel_jpeg_decoder_read_header(easel_jpeg_decoder *decoder, easel_jpeg_header *header)
{
    struct jpeg_decompress_struct *info = &decoder->info;
    memset(header, 0, sizeof *header);
    if (setjmp(decoder->error.target)) {
        header->width = info->image_width;
        header->height = info->image_height;
        return false;
    }
    jpeg_read_header(info, TRUE);
    // Some versions of libjpeg read this header but refuse the rows.
    if (info->data_precision != 8) {
        ERREXIT1(info, JERR_BAD_PRECISION, info->data_precision);
    }
    header->width = info->image_width;
    header->height = info->image_height;
    header->components = info->num_components;
    // With more than one low bit of the DC values held back, the eighths would be visibly coarse.
    header->has_dc_scan = info->progressive_mode && info->Ss == 0 && info->Se == 0 && info->Ah == 0 && info->Al <= 1
        && info->comps_in_scan == info->num_components;
    return true;
}

bool easel_jpeg_decoder_begin(
    easel_jpeg_decoder *decoder, int denominator, bool first_scan_only, uint32_t *width, uint32_t *height)
{
    struct jpeg_decompress_struct *info = &decoder->info;
    if (setjmp(decoder->error.target)) {
        return false;
    }
    info->scale_num = 1;
    info->scale_denom = (unsigned int)denominator;
    info->out_color_space = info->num_components == 4 ? JCS_CMYK : JCS_EXT_BGRA;
    info->buffered_image = jpeg_has_multiple_scans(info);
    decoder->uses_first_scan_only = first_scan_only && info->buffered_image;
    // Smoothing estimates the data of later scans. It is not needed if only the first scan is used, and it reads ahead,
    // which must be avoided if a damaged scan follows.
    info->do_block_smoothing = !first_scan_only && decoder->last_scan == 0;
    jpeg_start_decompress(info);
    *width = info->output_width;
    *height = info->output_height;
    return true;
}

// Returns whether the end marker follows. Its bytes cannot occur in the data of a scan.
static bool has_end(const struct jpeg_source_mgr *source)
{
    const uint8_t *position = source->next_input_byte;
    size_t left = source->bytes_in_buffer;
    while (left >= 2) {
        const uint8_t *found = memchr(position, 0xFF, left - 1);
        if (!found) {
            return false;
        }
        if (found[1] == JPEG_EOI) {
            return true;
        }
        left -= (size_t)(found + 1 - position);
        position = found + 1;
    }
    return false;
}

// Restarts a file that ends early or is damaged between two scans, and stops after its last complete scan. After an
// error, libjpeg only allows starting over.
static easel_jpeg_state restart(easel_jpeg_decoder *decoder)
{
    struct jpeg_decompress_struct *info = &decoder->info;
    if (decoder->scan_count == 0 || decoder->last_scan > 0) {
        return EASEL_JPEG_FAILED;
    }
    decoder->last_scan = decoder->scan_count;
    decoder->scan_count = 0;
    decoder->error.is_damaged = true;
    int denominator = (int)info->scale_denom;
    if (setjmp(decoder->error.target)) {
        return EASEL_JPEG_FAILED;
    }
    jpeg_abort_decompress(info);
    jpeg_mem_src(info, decoder->bytes, (unsigned long)decoder->count);
    jpeg_read_header(info, TRUE);
    uint32_t width, height;
    return easel_jpeg_decoder_begin(decoder, denominator, false, &width, &height) ? EASEL_JPEG_MORE : EASEL_JPEG_FAILED;
}

easel_jpeg_state easel_jpeg_decoder_consume(easel_jpeg_decoder *decoder)
{
    struct jpeg_decompress_struct *info = &decoder->info;
    if (setjmp(decoder->error.target)) {
        return restart(decoder);
    }
    if (!info->buffered_image) {
        return EASEL_JPEG_READY;
    }
    int state = jpeg_consume_input(info);
    decoder->scan_count += state == JPEG_SCAN_COMPLETED;
    bool is_last_needed = state == JPEG_SCAN_COMPLETED
        && (decoder->uses_first_scan_only || decoder->scan_count == decoder->last_scan);
    // The other scans are not used, but without an end marker the file is truncated.
    if (is_last_needed && !has_end(info->src)) {
        WARNMS(info, JWRN_JPEG_EOF);
    }
    if (is_last_needed || state == JPEG_REACHED_EOI) {
        jpeg_start_output(info, info->input_scan_number);
        return EASEL_JPEG_READY;
    }
    if (info->input_scan_number > MAX_SCANS) {
        strcpy(decoder->error.message, "There are too many scans");
        return EASEL_JPEG_FAILED;
    }
    return EASEL_JPEG_MORE;
}

int easel_jpeg_decoder_read_rows(
    easel_jpeg_decoder *decoder, uint8_t *rows, size_t bytes_per_row, int row_count)
{
    struct jpeg_decompress_struct *info = &decoder->info;
    int done = 0;
    if (setjmp(decoder->error.target)) {
        return -1;
    }
    while (done < row_count && info->output_scanline < info->output_height) {
        JSAMPROW row = rows + bytes_per_row * (size_t)done;
        if (jpeg_read_scanlines(info, &row, 1) != 1) {
            return -1;
        }
        done += 1;
    }
    return done;
}

bool easel_jpeg_decoder_is_damaged(const easel_jpeg_decoder *decoder)
{
    // Missing Huffman data of a single scan is reported when it is needed, so that a missing end marker alone is
    // harmless. In other files, whole scans may be missing, or data is replaced by zeros without a warning.
    const struct jpeg_decompress_struct *info = &decoder->info;
    return decoder->error.is_damaged || (decoder->error.is_out_of_data && (info->buffered_image || info->arith_code));
}

bool easel_jpeg_decoder_is_unsupported(const easel_jpeg_decoder *decoder)
{
    return decoder->error.is_unsupported;
}

const char *easel_jpeg_decoder_message(const easel_jpeg_decoder *decoder)
{
    return decoder->error.message;
}

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

const char *easel_jpeg_version(void) {
#ifdef LIBJPEG_TURBO_VERSION
    return TEXT(LIBJPEG_TURBO_VERSION);
#else
    return TEXT(JPEG_LIB_VERSION);
#endif
}
