#include "easel_jpeg_means.h"

#include <stdbool.h>
#include <string.h>

#include <jerror.h>

// What a handle stands for that `request` returns: libjpeg asks for a few rows of whole blocks at a time.
typedef struct {
    JDIMENSION width, height;
    JDIMENSION window_height;   // the most rows that are asked for at once
    JDIMENSION first, count;    // the rows in the window
    bool is_written;            // the window holds what `means` does not
    JBLOCKARRAY window;
    JCOEF *means;
} mean_array;

static jvirt_barray_ptr request(
    j_common_ptr info, int pool, boolean is_zeroed, JDIMENSION width, JDIMENSION height, JDIMENSION window_height)
{
    (void)is_zeroed;
    struct jpeg_memory_mgr *memory = info->mem;
    mean_array *blocks = memory->alloc_small(info, pool, sizeof *blocks);
    memset(blocks, 0, sizeof *blocks);
    blocks->width = width;
    blocks->height = height;
    blocks->window_height = window_height;
    blocks->window = memory->alloc_barray(info, pool, width, window_height);
    for (JDIMENSION row = 0; row < window_height; row += 1) {
        memset(blocks->window[row], 0, width * sizeof(JBLOCK));
    }
    size_t count = (size_t)width * height * sizeof(JCOEF);
    blocks->means = memory->alloc_large(info, pool, count);
    memset(blocks->means, 0, count);
    return (jvirt_barray_ptr)blocks;
}

static void keep_window(mean_array *blocks)
{
    JCOEF *mean = blocks->means + (size_t)blocks->first * blocks->width;
    for (JDIMENSION row = 0; row < blocks->count; row += 1) {
        for (JDIMENSION column = 0; column < blocks->width; column += 1, mean += 1) {
            *mean = blocks->window[row][column][0];
        }
    }
}

static void fill_window(mean_array *blocks)
{
    const JCOEF *mean = blocks->means + (size_t)blocks->first * blocks->width;
    for (JDIMENSION row = 0; row < blocks->count; row += 1) {
        for (JDIMENSION column = 0; column < blocks->width; column += 1, mean += 1) {
            blocks->window[row][column][0] = *mean;
        }
    }
}

static JBLOCKARRAY reach(
    j_common_ptr info, jvirt_barray_ptr handle, JDIMENSION first, JDIMENSION count, boolean is_written)
{
    mean_array *blocks = (mean_array *)handle;
    if (first > blocks->height || count > blocks->height - first || count > blocks->window_height) {
        ERREXIT(info, JERR_BAD_VIRTUAL_ACCESS);
    }
    if (first != blocks->first || count != blocks->count) {
        if (blocks->is_written) {
            keep_window(blocks);
            blocks->is_written = false;
        }
        blocks->first = first;
        blocks->count = count;
        fill_window(blocks);
    }
    blocks->is_written = blocks->is_written || is_written;
    return blocks->window;
}

void easel_jpeg_keep_means(struct jpeg_decompress_struct *info)
{
    info->mem->request_virt_barray = request;
    info->mem->access_virt_barray = reach;
}
