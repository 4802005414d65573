#include "easel_jpeg_drawing.h"
#include "easel_jpeg_segment.h"

#include <string.h>

// A block of a unit.
typedef struct {
    jpeg_component_info *component;
    easel_jpeg_transform transform;
    int side;                 // of what it is drawn as, in samples
    int factor;               // of its mean
    JDIMENSION row, column;   // of its first sample, in the unit
    JDIMENSION step;          // samples from unit to unit
    bool is_below, is_beyond; // the picture, where the unit is in its last row, or column
} block_place;

struct easel_jpeg_drawing {
    easel_jpeg_decode_unit decode;
    int block_count;
    block_place places[D_MAX_BLOCKS_IN_MCU];
    JBLOCKROW blocks[D_MAX_BLOCKS_IN_MCU];
};

// The transforms agree on what they make of a mean within these bounds; of what is beyond them, which no picture has, each
// makes something else.
enum { LEAST = -4096, MOST = 4091 };

// Draws a block that has a mean alone. Returns whether it could.
static inline bool fill(const block_place *place, int mean, JSAMPARRAY rows, JDIMENSION column)
{
    int value = mean * place->factor;
    if (value < LEAST || value > MOST) {
        return false;
    }
    // An eighth, rounded, of what is counted from the middle of all samples.
    int sample = ((value + 4) >> 3) + CENTERJSAMPLE;
    uint64_t samples = (uint64_t)(sample < 0 ? 0 : sample > MAXJSAMPLE ? MAXJSAMPLE : sample) * 0x0101010101010101;
    // Written out, so that each is one instruction.
    switch (place->side) {
    case 1:
        rows[0][column] = (JSAMPLE)samples;
        return true;
    case 2:
        for (int row = 0; row < 2; row += 1) {
            memcpy(rows[row] + column, &samples, 2);
        }
        return true;
    case 4:
        for (int row = 0; row < 4; row += 1) {
            memcpy(rows[row] + column, &samples, 4);
        }
        return true;
    case 8:
        for (int row = 0; row < 8; row += 1) {
            memcpy(rows[row] + column, &samples, 8);
        }
        return true;
    default:
        return false;
    }
}

static inline void clear(JCOEF *block, int end)
{
    if (end <= 1) {
        block[0] = 0;
    } else {
        memset(block, 0, sizeof(JBLOCK));
    }
}

// What libjpeg calls for each row of units.
static int draw_row(j_decompress_ptr info, JSAMPIMAGE samples)
{
    easel_jpeg_drawing *drawing = ((easel_jpeg_entropy *)info->client_data)->drawing;
    uint8_t ends[D_MAX_BLOCKS_IN_MCU];
    bool is_last_row = info->input_iMCU_row + 1 == info->total_iMCU_rows;
    for (JDIMENSION unit = 0; unit < info->MCUs_per_row; unit += 1) {
        bool is_last = unit + 1 == info->MCUs_per_row;
        drawing->decode(info, drawing->blocks, ends);
        for (int index = 0; index < drawing->block_count; index += 1) {
            const block_place *place = &drawing->places[index];
            JCOEF *block = drawing->blocks[index][0];
            int end = ends[index];
            if (!(is_last_row && place->is_below) && !(is_last && place->is_beyond)) {
                JSAMPARRAY rows = samples[place->component->component_index] + place->row;
                JDIMENSION column = unit * place->step + place->column;
                if (end > 1 || !fill(place, block[0], rows, column)) {
                    place->transform(info, place->component, block, rows, column);
                }
            }
            clear(block, end);
        }
    }
    info->output_iMCU_row += 1;
    info->input_iMCU_row += 1;
    if (info->input_iMCU_row < info->total_iMCU_rows) {
        return JPEG_ROW_COMPLETED;
    }
    info->inputctl->finish_input_pass(info);
    return JPEG_SCAN_COMPLETED;
}

// As the transforms want them: on a multiple of 32 bytes.
static JBLOCKROW make_blocks(struct jpeg_decompress_struct *info, int count)
{
    enum { ALIGNMENT = 32 };
    size_t byte_count = (size_t)count * sizeof(JBLOCK);
    uintptr_t start = (uintptr_t)info->mem->alloc_small((j_common_ptr)info, JPOOL_IMAGE, byte_count + ALIGNMENT - 1);
    JBLOCKROW blocks = (JBLOCKROW)((start + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
    memset(blocks, 0, byte_count);
    return blocks;
}

static bool is_fit(const struct jpeg_decompress_struct *info)
{
    for (int index = 0; index < info->comps_in_scan; index += 1) {
        const jpeg_component_info *component = info->cur_comp_info[index];
        if (!component->component_needed || easel_jpeg_drawn_width(component) != easel_jpeg_drawn_height(component)) {
            return false;
        }
    }
    return info->comps_in_scan > 1;
}

void easel_jpeg_drawing_install(
    struct jpeg_decompress_struct *info, easel_jpeg_entropy *entropy, easel_jpeg_decode_unit decode)
{
    if (!is_fit(info)) {
        return;
    }
    easel_jpeg_drawing *drawing = info->mem->alloc_small((j_common_ptr)info, JPOOL_IMAGE, sizeof *drawing);
    JBLOCKROW blocks = make_blocks(info, info->blocks_in_MCU);
    drawing->decode = decode;
    drawing->block_count = 0;
    for (int index = 0; index < info->comps_in_scan; index += 1) {
        jpeg_component_info *component = info->cur_comp_info[index];
        int side = easel_jpeg_drawn_width(component);
        for (int block = 0; block < component->MCU_blocks; block += 1) {
            int row = block / component->MCU_width, column = block % component->MCU_width;
            drawing->blocks[drawing->block_count] = blocks + drawing->block_count;
            drawing->places[drawing->block_count] = (block_place) {
                .component = component,
                .transform = info->idct->transforms[component->component_index],
                .side = side,
                .factor = component->quant_table->quantval[0],
                .row = (JDIMENSION)(row * side),
                .column = (JDIMENSION)(column * side),
                .step = (JDIMENSION)(component->MCU_width * side),
                .is_below = row >= component->last_row_height,
                .is_beyond = column >= component->last_col_width,
            };
            drawing->block_count += 1;
        }
    }
    entropy->drawing = drawing;
    info->coef->decompress_data = draw_row;
}
