#include "easel_jpeg_probe.h"
#include "easel_jpeg_decoder.h"

#include <stdatomic.h>
#include <string.h>

// The side of the picture, of its units and of their blocks, bytes of a row, and room for the blocks of all scans.
enum { SIDE = 32, UNIT = 16, BLOCK = 8, ROW = 4 * SIDE, ROOM = 4 * SIDE * SIDE };

typedef struct {
    struct jpeg_entropy_decoder original;
    int (*draw_row)(j_decompress_ptr, JSAMPIMAGE);
    easel_jpeg_transform transform;
    void (*finish)(j_decompress_ptr);
    int starts, units, rows, blocks, ends;
} call_counter;

// None of these looks at what it is given, which may be anything where it is not called as it should be.
static void count_start(j_decompress_ptr info)
{
    call_counter *counter = info->client_data;
    counter->starts += 1;
    counter->original.start_pass(info);
}

static boolean count_unit(j_decompress_ptr info, JBLOCKROW *blocks)
{
    call_counter *counter = info->client_data;
    counter->units += 1;
    return counter->original.decode_mcu(info, blocks);
}

static int count_row(j_decompress_ptr info, JSAMPIMAGE samples)
{
    call_counter *counter = info->client_data;
    counter->rows += 1;
    return counter->draw_row(info, samples);
}

static void count_block(
    j_decompress_ptr info, jpeg_component_info *component, JCOEF *block, JSAMPARRAY rows, JDIMENSION column)
{
    call_counter *counter = info->client_data;
    counter->blocks += 1;
    counter->transform(info, component, block, rows, column);
}

static void count_end(j_decompress_ptr info)
{
    call_counter *counter = info->client_data;
    counter->ends += 1;
    counter->finish(info);
}

static void count_drawing(struct jpeg_decompress_struct *info, call_counter *counter)
{
    counter->draw_row = info->coef->decompress_data;
    info->coef->decompress_data = count_row;
    counter->transform = info->idct->transforms[0];
    info->idct->transforms[0] = count_block;
    counter->finish = info->inputctl->finish_input_pass;
    info->inputctl->finish_input_pass = count_end;
}

typedef enum { ALONE, COUNTED, TAKEN_OVER } way;

typedef struct {
    const uint8_t *bytes;
    size_t count;
    bool is_progressive;
} small_file;

static void prepare(easel_jpeg_decoder *decoder, way way, call_counter *counter, const small_file *file)
{
    struct jpeg_entropy_decoder *entropy = decoder->info.entropy;
    if (way == COUNTED) {
        counter->original = *entropy;
        decoder->info.client_data = counter;
        entropy->start_pass = count_start;
        // At each start libjpeg chooses another one.
        if (!file->is_progressive) {
            entropy->decode_mcu = count_unit;
            count_drawing(&decoder->info, counter);
        }
    } else if (way == TAKEN_OVER) {
        decoder->entropy = easel_jpeg_entropy_install(&decoder->info, &decoder->error, &decoder->room);
    }
}

// Whether they are called where they should be, and nowhere else.
static bool is_right(const easel_jpeg_decoder *decoder, way way, const call_counter *counter, const small_file *file)
{
    switch (way) {
    case COUNTED:
        if (file->is_progressive) {
            return counter->starts == decoder->info.input_scan_number - 1;
        }
        return counter->starts == 0 && counter->units == SIDE / UNIT * (SIDE / UNIT) && counter->rows == SIDE / UNIT
            && counter->blocks == SIDE / BLOCK * (SIDE / BLOCK) && counter->ends == 1;
    case TAKEN_OVER:
        return decoder->entropy && !decoder->successor;
    default:
        return true;
    }
}

// Decodes the picture in one of the ways.
static bool decode(const small_file *file, way way, uint8_t *room, uint8_t *rows)
{
    easel_jpeg_decoder *decoder = easel_jpeg_decoder_open(file->bytes, file->count);
    if (!decoder) {
        return false;
    }
    easel_jpeg_decoder_leave_to_library(decoder); // To begin with.
    call_counter counter = { 0 };
    easel_jpeg_header header;
    uint32_t width, height;
    volatile bool is_done = false;
    if (easel_jpeg_decoder_read_header(decoder, &header)) {
        if (way == TAKEN_OVER && easel_jpeg_decoder_room_needed(decoder) <= ROOM) {
            easel_jpeg_decoder_give_room(decoder, room, easel_jpeg_decoder_room_needed(decoder));
        }
        is_done = easel_jpeg_decoder_begin(decoder, 1, false, &width, &height);
    }
    if (is_done && setjmp(decoder->error.target) == 0) {
        prepare(decoder, way, &counter, file);
        easel_jpeg_state state;
        do {
            state = easel_jpeg_decoder_consume(decoder, 16);
        } while (state == EASEL_JPEG_MORE);
        is_done = state == EASEL_JPEG_READY && easel_jpeg_decoder_read_rows(decoder, rows, ROW, SIDE) == SIDE
            && !easel_jpeg_decoder_is_damaged(decoder) && is_right(decoder, way, &counter, file);
    } else {
        is_done = false;
    }
    easel_jpeg_decoder_close(decoder);
    return is_done;
}

static bool is_same(const small_file *file)
{
    uint8_t alone[ROW * SIDE], other[ROW * SIDE];
    _Alignas(JBLOCK) uint8_t room[ROOM];
    return decode(file, ALONE, room, alone)
        && decode(file, COUNTED, room, other) && memcmp(alone, other, sizeof other) == 0
        && decode(file, TAKEN_OVER, room, other) && memcmp(alone, other, sizeof other) == 0;
}

static bool passes(bool is_progressive)
{
    easel_jpeg_encoder *encoder = easel_jpeg_encoder_open(SIDE, SIDE, 90, false, is_progressive);
    if (!encoder) {
        return false;
    }
    uint8_t rows[ROW * SIDE];
    for (int place = 0; place < ROW * SIDE; place += 1) {
        // One colour, and below it something of all frequencies.
        rows[place] = (uint8_t)(place < ROW * UNIT ? 90 : place * place / 37 + place / 5);
    }
    small_file file = { .is_progressive = is_progressive };
    if (easel_jpeg_encoder_write_rows(encoder, rows, ROW, SIDE)) {
        file.bytes = easel_jpeg_encoder_finish(encoder, &file.count);
    }
    bool is_right = file.bytes && is_same(&file);
    easel_jpeg_encoder_close(encoder);
    return is_right;
}

bool easel_jpeg_probe_passes(bool is_progressive)
{
    enum { UNKNOWN, PASSES, FAILS };
    static atomic_int results[2];
    atomic_int *result = &results[is_progressive];
    // Two threads may both try it out, with the same result.
    if (atomic_load(result) == UNKNOWN) {
        atomic_store(result, passes(is_progressive) ? PASSES : FAILS);
    }
    return atomic_load(result) == PASSES;
}
