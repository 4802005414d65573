// Selects a variant.
#include "easel_vectors.h"

easel_instructions easel_pixels_instructions(void) {
#ifdef EASEL_X86
    return __builtin_cpu_supports("avx2") ? EASEL_WIDE : EASEL_BASELINE;
#else
    return EASEL_BASELINE;
#endif
}

#ifdef EASEL_X86
#define DISPATCH(result, kernel, parameters, arguments)                                                                \
    result kernel##_baseline parameters;                                                                               \
    result kernel##_avx2 parameters;                                                                                   \
    result kernel(easel_instructions level, EXPAND parameters)                                                         \
    {                                                                                                                  \
        if (level == EASEL_WIDE && __builtin_cpu_supports("avx2")) return kernel##_avx2 arguments;                     \
        return kernel##_baseline arguments;                                                                            \
    }
#else
#define DISPATCH(result, kernel, parameters, arguments)                                                                \
    result kernel##_baseline parameters;                                                                               \
    result kernel(easel_instructions level, EXPAND parameters)                                                         \
    {                                                                                                                  \
        return kernel##_baseline arguments;                                                                            \
    }
#endif
#define EXPAND(...) __VA_ARGS__

DISPATCH(void, easel_unfilter,
    (int filter, uint8_t *row, const uint8_t *previous, size_t count, size_t distance),
    (filter, row, previous, count, distance))
DISPATCH(void, easel_expand_rgb, (const uint8_t *samples, uint8_t *pixels, size_t count), (samples, pixels, count))
DISPATCH(uint8_t, easel_expand_rgba, (const uint8_t *samples, uint8_t *pixels, size_t count), (samples, pixels, count))
DISPATCH(uint8_t, easel_premultiply, (const uint8_t *samples, uint8_t *pixels, size_t count), (samples, pixels, count))
DISPATCH(uint8_t, easel_common_alpha, (const uint8_t *pixels, size_t count), (pixels, count))
DISPATCH(void, easel_make_opaque, (uint8_t *pixels, size_t count), (pixels, count))
DISPATCH(void, easel_mirror, (const uint8_t *pixels, uint8_t *mirrored, size_t count, bool passes_cache),
    (pixels, mirrored, count, passes_cache))
DISPATCH(void, easel_transpose,
    (const uint8_t *source, ptrdiff_t source_step, uint8_t *target, ptrdiff_t target_step, size_t width, size_t height,
     bool passes_cache),
    (source, source_step, target, target_step, width, height, passes_cache))
DISPATCH(void, easel_mirror_deep, (const uint8_t *pixels, uint8_t *mirrored, size_t count), (pixels, mirrored, count))
DISPATCH(void, easel_transpose_deep,
    (const uint8_t *source, ptrdiff_t source_step, uint8_t *target, ptrdiff_t target_step, size_t width, size_t height),
    (source, source_step, target, target_step, width, height))
DISPATCH(void, easel_blend_rows,
    (const uint8_t *rows, size_t bytes_per_row, const int16_t *weights, size_t row_count, int16_t *line, size_t count),
    (rows, bytes_per_row, weights, row_count, line, count))
DISPATCH(void, easel_blend_columns,
    (const int16_t *line, const int32_t *starts, const int16_t *weights, size_t taps, uint8_t *pixels, size_t count),
    (line, starts, weights, taps, pixels, count))
DISPATCH(void, easel_add_rows,
    (const uint8_t *rows, size_t bytes_per_row, size_t row_count, uint16_t *sums, size_t count),
    (rows, bytes_per_row, row_count, sums, count))
DISPATCH(void, easel_average_columns,
    (const uint16_t *sums, size_t block_width, uint32_t half, uint32_t reciprocal, uint8_t *pixels, size_t count),
    (sums, block_width, half, reciprocal, pixels, count))
DISPATCH(void, easel_blend_light_rows,
    (const float *rows, size_t row_length, size_t row_count, size_t first, const float *weights, size_t weight_count,
        float *line),
    (rows, row_length, row_count, first, weights, weight_count, line))
DISPATCH(void, easel_blend_light_columns,
    (const float *line, const int32_t *starts, const float *weights, size_t taps, float *colors, size_t count),
    (line, starts, weights, taps, colors, count))
DISPATCH(void, easel_transform,
    (int side, int16_t *block, const int16_t *steps, uint8_t *samples, size_t stride, bool is_low, bool clears),
    (side, block, steps, samples, stride, is_low, clears))
DISPATCH(void, easel_widen, (const uint8_t *samples, uint8_t *wide, size_t count), (samples, wide, count))
DISPATCH(void, easel_widen_between, (const uint8_t *near, const uint8_t *far, uint8_t *wide, size_t count),
    (near, far, wide, count))
DISPATCH(void, easel_blend_samples, (const uint8_t *near, const uint8_t *far, uint8_t *row, int bias, size_t count),
    (near, far, row, bias, count))
DISPATCH(void, easel_color_samples,
    (const uint8_t *y, const uint8_t *cb, const uint8_t *cr, uint8_t *pixels, size_t count), (y, cb, cr, pixels, count))
