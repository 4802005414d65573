#ifndef EASEL_JPEG_PARTS_H
#define EASEL_JPEG_PARTS_H

#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

// The first members of the parts of libjpeg's decoder that are replaced, or called, from outside. They have stood in this order
// in every version of it. Others follow, which stay libjpeg's. Whether that holds for the library at hand, easel_jpeg_probe.h
// tells.

struct jpeg_entropy_decoder {
    void (*start_pass)(j_decompress_ptr);
    boolean (*decode_mcu)(j_decompress_ptr, JBLOCKROW *);
};

struct jpeg_d_coef_controller {
    void (*start_input_pass)(j_decompress_ptr);
    int (*consume_data)(j_decompress_ptr);
    void (*start_output_pass)(j_decompress_ptr);
    int (*decompress_data)(j_decompress_ptr, JSAMPIMAGE);
};

// Draws a block into rows of samples, from a column on.
typedef void (*easel_jpeg_transform)(j_decompress_ptr, jpeg_component_info *, JCOEF *, JSAMPARRAY, JDIMENSION);

struct jpeg_inverse_dct {
    void (*start_pass)(j_decompress_ptr);
    easel_jpeg_transform transforms[MAX_COMPONENTS];
};

struct jpeg_input_controller {
    int (*consume_input)(j_decompress_ptr);
    void (*reset_input_controller)(j_decompress_ptr);
    void (*start_input_pass)(j_decompress_ptr);
    void (*finish_input_pass)(j_decompress_ptr);
};

// What a block of the component is drawn as, in samples across and down.
static inline int easel_jpeg_drawn_width(const jpeg_component_info *component)
{
#if JPEG_LIB_VERSION >= 70
    return component->DCT_h_scaled_size;
#else
    return component->DCT_scaled_size;
#endif
}

static inline int easel_jpeg_drawn_height(const jpeg_component_info *component)
{
#if JPEG_LIB_VERSION >= 70
    return component->DCT_v_scaled_size;
#else
    return component->DCT_scaled_size;
#endif
}

#endif
