#include "easel_jpeg.h"
#include "easel_jpeg_error.h"

#include <stdlib.h>

struct easel_jpeg_encoder {
    struct jpeg_compress_struct info;
    easel_jpeg_error error;
    unsigned char *bytes;
    unsigned long count;
};

easel_jpeg_encoder *easel_jpeg_encoder_open(uint32_t width, uint32_t height, easel_jpeg_parameters parameters)
{
    easel_jpeg_encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder) {
        return NULL;
    }
    struct jpeg_compress_struct *info = &encoder->info;
    info->err = easel_jpeg_error_install(&encoder->error);
    if (setjmp(encoder->error.target)) {
        easel_jpeg_encoder_close(encoder);
        return NULL;
    }
    jpeg_create_compress(info);
    jpeg_mem_dest(info, &encoder->bytes, &encoder->count);
    info->image_width = width;
    info->image_height = height;
    info->input_components = 4;
    info->in_color_space = JCS_EXT_BGRX;
    jpeg_set_defaults(info);
    jpeg_set_quality(info, parameters.quality, TRUE);
    // The factors of the colours are 1.
    info->comp_info[0].h_samp_factor = parameters.columns_per_color;
    info->comp_info[0].v_samp_factor = parameters.rows_per_color;
    info->optimize_coding = parameters.has_own_tables;
    if (parameters.is_progressive) {
        jpeg_simple_progression(info);
    }
    jpeg_start_compress(info, TRUE);
    return encoder;
}

void easel_jpeg_encoder_close(easel_jpeg_encoder *encoder)
{
    jpeg_destroy_compress(&encoder->info);
    free(encoder->bytes);
    free(encoder);
}

bool easel_jpeg_encoder_write_profile(easel_jpeg_encoder *encoder, const uint8_t *bytes, size_t count)
{
    if (setjmp(encoder->error.target)) {
        return false;
    }
    jpeg_write_icc_profile(&encoder->info, bytes, (unsigned int)count);
    return true;
}

bool easel_jpeg_encoder_write_rows(
    easel_jpeg_encoder *encoder, const uint8_t *rows, size_t bytes_per_row, int row_count)
{
    if (setjmp(encoder->error.target)) {
        return false;
    }
    for (int index = 0; index < row_count; index += 1) {
        // libjpeg only reads the row; its type predates const.
        JSAMPROW row = (JSAMPROW)(uintptr_t)(rows + bytes_per_row * (size_t)index);
        if (jpeg_write_scanlines(&encoder->info, &row, 1) != 1) {
            return false;
        }
    }
    return true;
}

const uint8_t *easel_jpeg_encoder_finish(easel_jpeg_encoder *encoder, size_t *count)
{
    if (setjmp(encoder->error.target)) {
        return NULL;
    }
    jpeg_finish_compress(&encoder->info);
    *count = encoder->count;
    return encoder->bytes;
}
