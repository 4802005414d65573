#include "easel_jpeg_blocks.h"
#include "easel_jpeg_decoder.h"

#include <string.h>

#include <jerror.h>

// The name is libjpeg's, which leaves the type to its memory manager.
struct jvirt_barray_control {
    JDIMENSION width, height;
    JDIMENSION begun; // rows that somebody has asked for: those below have no content yet
    JBLOCKARRAY rows;
};

static JDIMENSION rounded_up(JDIMENSION count, int factor)
{
    return (count + (JDIMENSION)factor - 1) / (JDIMENSION)factor * (JDIMENSION)factor;
}

size_t easel_jpeg_room_needed(struct jpeg_decompress_struct *info)
{
    if (!jpeg_has_multiple_scans(info)) {
        return 0;
    }
    size_t count = 0;
    for (int index = 0; index < info->num_components; index += 1) {
        const jpeg_component_info *component = &info->comp_info[index];
        // As libjpeg will ask for them: whole units of the scans in which all components are together.
        size_t width = rounded_up(component->width_in_blocks, component->h_samp_factor);
        size_t height = rounded_up(component->height_in_blocks, component->v_samp_factor);
        size_t bytes;
        if (__builtin_mul_overflow(width * sizeof(JBLOCK), height, &bytes)
            || __builtin_add_overflow(count, bytes, &count)) {
            return 0;
        }
    }
    return count + count / sizeof(JBLOCK) * (DCTSIZE2 / 8);
}

static jvirt_barray_ptr request(
    j_common_ptr info, int pool, boolean is_zeroed, JDIMENSION width, JDIMENSION height, JDIMENSION window_height)
{
    (void)is_zeroed, (void)window_height;
    easel_jpeg_room *room = &((easel_jpeg_decoder *)info)->room;
    size_t count = (size_t)width * height * sizeof(JBLOCK);
    JBLOCKROW start;
    if (room->start && count <= room->count - room->used) {
        start = (JBLOCKROW)(room->start + room->used);
        room->used += count;
    } else {
        // Of a libjpeg that wants more than is needed. Nobody else need know where its blocks are.
        start = info->mem->alloc_large(info, pool, count);
        room->start = NULL;
    }
    jvirt_barray_ptr blocks = info->mem->alloc_small(info, pool, sizeof *blocks);
    blocks->width = width;
    blocks->height = height;
    blocks->begun = 0;
    blocks->rows = info->mem->alloc_small(info, pool, height * sizeof *blocks->rows);
    for (JDIMENSION row = 0; row < height; row += 1) {
        blocks->rows[row] = start + (size_t)row * width;
    }
    return blocks;
}

static JBLOCKARRAY reach(
    j_common_ptr info, jvirt_barray_ptr blocks, JDIMENSION first, JDIMENSION count, boolean is_written)
{
    (void)is_written;
    if (first > blocks->height || count > blocks->height - first) {
        ERREXIT(info, JERR_BAD_VIRTUAL_ACCESS);
    }
    // Just before they are used, so that they are in the processor's cache then.
    if (first + count > blocks->begun) {
        size_t rows = first + count - blocks->begun;
        memset(blocks->rows[blocks->begun], 0, rows * blocks->width * sizeof(JBLOCK));
        blocks->begun = first + count;
    }
    return blocks->rows + first;
}

void easel_jpeg_keep_blocks_in_room(struct jpeg_decompress_struct *info)
{
    info->mem->request_virt_barray = request;
    info->mem->access_virt_barray = reach;
}
