#include "easel_jpeg_means.h"

#include <stdbool.h>
#include <string.h>

#include <jerror.h>

// libjpeg asks for its blocks a few rows at a time, which it then has as whole blocks; what they are kept in is up to its
// memory manager. This name is libjpeg's, which leaves the type to the manager.
struct jvirt_barray_control {
    JDIMENSION width, height;
    JDIMENSION window_height;   // the most rows that are asked for at once
    JDIMENSION first, count;    // the rows in the window
    bool is_written;            // the window holds what `means` does not
    JBLOCKARRAY window;
    JCOEF *means;
};

// The manager's own type of "any" struct comes first in the decoder's.
static jvirt_barray_ptr request(
    j_common_ptr info, int pool, boolean is_zeroed, JDIMENSION width, JDIMENSION height, JDIMENSION window_height)
{
    (void)is_zeroed;
    struct jpeg_memory_mgr *memory = info->mem;
    jvirt_barray_ptr blocks = memory->alloc_small(info, pool, sizeof *blocks);
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
    return blocks;
}

static void keep_window(jvirt_barray_ptr blocks)
{
    JCOEF *mean = blocks->means + (size_t)blocks->first * blocks->width;
    for (JDIMENSION row = 0; row < blocks->count; row += 1) {
        for (JDIMENSION column = 0; column < blocks->width; column += 1, mean += 1) {
            *mean = blocks->window[row][column][0];
        }
    }
}

static void fill_window(jvirt_barray_ptr blocks)
{
    const JCOEF *mean = blocks->means + (size_t)blocks->first * blocks->width;
    for (JDIMENSION row = 0; row < blocks->count; row += 1) {
        for (JDIMENSION column = 0; column < blocks->width; column += 1, mean += 1) {
            blocks->window[row][column][0] = *mean;
        }
    }
}

static JBLOCKARRAY reach(
    j_common_ptr info, jvirt_barray_ptr blocks, JDIMENSION first, JDIMENSION count, boolean is_written)
{
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
