#include "easel_jpeg_decoder.h"
#include "easel_jpeg_means.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

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
    jpeg_save_markers(&decoder->info, JPEG_APP0 + 1, 0xFFFF);
    jpeg_save_markers(&decoder->info, JPEG_APP0 + 2, 0xFFFF);
    return decoder;
}

void easel_jpeg_decoder_close(easel_jpeg_decoder *decoder)
{
    jpeg_destroy_decompress(&decoder->info);
    easel_jpeg_unmap_blocks(&decoder->blocks);
    free(decoder->profile);
    free(decoder);
}

// The least pixels of an image whose blocks fill large pages. Of smaller ones libjpeg's own memory is as good.
enum { LEAST_MAPPED = 2 << 20 };

static void find_exif(const struct jpeg_decompress_struct *info, easel_jpeg_header *header)
{
    static const char prefix[] = "Exif\0"; // And the zero that ends the literal.
    for (jpeg_saved_marker_ptr marker = info->marker_list; marker; marker = marker->next) {
        if (marker->marker == JPEG_APP0 + 1 && marker->data_length > sizeof prefix
            && memcmp(marker->data, prefix, sizeof prefix) == 0) {
            header->exif = marker->data;
            header->exif_count = marker->data_length;
            return;
        }
    }
}

void easel_jpeg_decoder_fill_header(struct jpeg_decompress_struct *info, easel_jpeg_header *header)
{
    if (info->data_precision != 8) {
        ERREXIT1(info, JERR_BAD_PRECISION, info->data_precision);
    }
    header->width = info->image_width;
    header->height = info->image_height;
    header->components = info->num_components;
    header->has_adobe_marker = info->saw_Adobe_marker;
    // With more than one low bit of the DC values held back, the eighths would be visibly coarse.
    header->has_dc_scan = info->progressive_mode && info->Ss == 0 && info->Se == 0 && info->Ah == 0 && info->Al <= 1
        && info->comps_in_scan == info->num_components;
    find_exif(info, header);
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
    easel_jpeg_decoder_fill_header(info, header);
    return true;
}

const uint8_t *easel_jpeg_decoder_profile(easel_jpeg_decoder *decoder, size_t *count)
{
    *count = 0;
    if (setjmp(decoder->error.target)) {
        return NULL;
    }
    unsigned int length = 0;
    free(decoder->profile);
    decoder->profile = NULL;
    if (!jpeg_read_icc_profile(&decoder->info, &decoder->profile, &length)) {
        return NULL;
    }
    *count = length;
    return decoder->profile;
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
    decoder->is_first_scan_enough = first_scan_only && info->buffered_image;
    if (decoder->is_first_scan_enough) {
        easel_jpeg_keep_means(info);
    } else if (info->buffered_image && info->image_height > LEAST_MAPPED / info->image_width) {
        easel_jpeg_map_blocks(info);
    }
    // Smoothing guesses what later scans hold; where the first is all that is used, its values are the answer. It also reads
    // ahead, which must not be where an error waits.
    info->do_block_smoothing = !first_scan_only && decoder->last_scan == 0;
    jpeg_start_decompress(info);
    *width = info->output_width;
    *height = info->output_height;
    return true;
}

// Whether the end marker follows. In the data of a scan its bytes cannot occur.
static bool has_end(const struct jpeg_source_mgr *source)
{
    const uint8_t *place = source->next_input_byte;
    size_t left = source->bytes_in_buffer;
    while (left >= 2) {
        const uint8_t *found = memchr(place, 0xFF, left - 1);
        if (!found) {
            return false;
        }
        if (found[1] == JPEG_EOI) {
            return true;
        }
        left -= (size_t)(found + 1 - place);
        place = found + 1;
    }
    return false;
}

// A file may end, or be damaged, between two scans: what came before is shown. After an error libjpeg allows no more than to begin
// anew, which goes as far as the last scan that was whole.
static easel_jpeg_state begin_again(easel_jpeg_decoder *decoder)
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
    easel_jpeg_unmap_blocks(&decoder->blocks);
    jpeg_mem_src(info, decoder->bytes, (unsigned long)decoder->count);
    jpeg_read_header(info, TRUE);
    uint32_t width, height;
    return easel_jpeg_decoder_begin(decoder, denominator, false, &width, &height) ? EASEL_JPEG_MORE : EASEL_JPEG_FAILED;
}

easel_jpeg_state easel_jpeg_decoder_consume(easel_jpeg_decoder *decoder, int steps)
{
    struct jpeg_decompress_struct *info = &decoder->info;
    if (setjmp(decoder->error.target)) {
        return begin_again(decoder);
    }
    if (!info->buffered_image) {
        return EASEL_JPEG_READY;
    }
    for (int step = 0; step < steps; step += 1) {
        int state = jpeg_consume_input(info);
        decoder->scan_count += state == JPEG_SCAN_COMPLETED;
        bool is_enough = state == JPEG_SCAN_COMPLETED
            && (decoder->is_first_scan_enough || decoder->scan_count == decoder->last_scan);
        // Nothing of the other scans is used, but a file without them is no whole one.
        if (is_enough && !has_end(info->src)) {
            WARNMS(info, JWRN_JPEG_EOF);
        }
        if (is_enough || state == JPEG_REACHED_EOI) {
            jpeg_start_output(info, info->input_scan_number);
            return EASEL_JPEG_READY;
        }
        if (info->input_scan_number > EASEL_JPEG_MOST_SCANS) {
            strcpy(decoder->error.message, "There are too many scans");
            return EASEL_JPEG_FAILED;
        }
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
    // Huffman data of a single scan that ends early is noticed where it is needed: a missing end marker alone takes
    // nothing from the image. Otherwise whole scans may be missing, or zeros stand in silently.
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
