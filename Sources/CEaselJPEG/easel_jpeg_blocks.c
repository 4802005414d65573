#include "easel_jpeg_blocks.h"
#include "easel_jpeg_decoder.h"

#include <stdint.h>

#include <jerror.h>

#include <easel_memory.h>

// What a handle stands for that `request` returns.
typedef struct {
    JDIMENSION height;
    JBLOCKARRAY rows;
} block_array;

static jvirt_barray_ptr request(
    j_common_ptr info, int pool, boolean is_zeroed, JDIMENSION width, JDIMENSION height, JDIMENSION window_height)
{
    (void)is_zeroed, (void)window_height; // The system's pages are zero.
    easel_jpeg_blocks *blocks = &((easel_jpeg_decoder *)info)->blocks;
    if (blocks->count == MAX_COMPONENTS || width == 0 || height > SIZE_MAX / sizeof(JBLOCK) / width) {
        ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
    }
    size_t count = (size_t)width * height * sizeof(JBLOCK);
    block_array *array = info->mem->alloc_small(info, pool, sizeof *array);
    array->height = height;
    array->rows = info->mem->alloc_large(info, pool, height * sizeof *array->rows);
    JBLOCKROW start = easel_memory_map(count);
    if (!start) {
        ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
    }
    blocks->arrays[blocks->count].start = start;
    blocks->arrays[blocks->count].count = count;
    blocks->count += 1;
    for (JDIMENSION row = 0; row < height; row += 1) {
        array->rows[row] = start + (size_t)row * width;
    }
    return (jvirt_barray_ptr)array;
}

static JBLOCKARRAY reach(
    j_common_ptr info, jvirt_barray_ptr handle, JDIMENSION first, JDIMENSION count, boolean is_written)
{
    (void)is_written;
    const block_array *array = (const block_array *)handle;
    if (first > array->height || count > array->height - first) {
        ERREXIT(info, JERR_BAD_VIRTUAL_ACCESS);
    }
    return array->rows + first;
}

void easel_jpeg_map_blocks(struct jpeg_decompress_struct *info)
{
    info->mem->request_virt_barray = request;
    info->mem->access_virt_barray = reach;
}

void easel_jpeg_unmap_blocks(easel_jpeg_blocks *blocks)
{
    for (int index = 0; index < blocks->count; index += 1) {
        easel_memory_unmap(blocks->arrays[index].start, blocks->arrays[index].count);
    }
    blocks->count = 0;
}
