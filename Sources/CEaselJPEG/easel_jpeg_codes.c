#include "easel_jpeg_codes.h"

#include <string.h>

static uint32_t word(int length, int run, int step, int value, bool has_value)
{
    return (uint32_t)length | (uint32_t)run << EASEL_JPEG_RUN_SHIFT | (uint32_t)step << EASEL_JPEG_STEP_SHIFT
        | (has_value ? EASEL_JPEG_HAS_VALUE : 0) | (uint32_t)value << EASEL_JPEG_VALUE_SHIFT;
}

// Without what the bits behind the code say.
static uint32_t plain_word(int symbol, int length, easel_jpeg_code_use use)
{
    if (use == EASEL_JPEG_CORRECTIONS) {
        return word(length, 0, 0, symbol, false);
    }
    int run = symbol >> 4, size = symbol & 15;
    if (size > 0) {
        return word(length, run, run + 1, size, false);
    }
    if (use == EASEL_JPEG_MEANS) {
        return word(length, 0, 0, 0, true);
    }
    switch (run) {
    case 0:
        return word(length, 0, EASEL_JPEG_END, 0, true);
    case 15:
        return word(length, 15, 16, 0, true);
    default:
        return word(length, run, 0, 0, false); // The end of several blocks, in progressive files.
    }
}

static bool is_end(uint32_t word)
{
    return (word >> EASEL_JPEG_STEP_SHIFT & EASEL_JPEG_STEP) == EASEL_JPEG_END;
}

// Puts into the words of codes whose values are in sight those values, and the end of the block if it follows.
static void complete(easel_jpeg_codes *codes)
{
    uint8_t ends[1 << EASEL_JPEG_LOOK];
    for (int bits = 0; bits < 1 << EASEL_JPEG_LOOK; bits += 1) {
        ends[bits] = is_end(codes->words[bits]) ? codes->words[bits] & EASEL_JPEG_LENGTH : 0;
    }
    for (int bits = 0; bits < 1 << EASEL_JPEG_LOOK; bits += 1) {
        uint32_t was = codes->words[bits];
        int length = was & EASEL_JPEG_LENGTH, size = (int)(was >> EASEL_JPEG_VALUE_SHIFT);
        if (was & EASEL_JPEG_HAS_VALUE || size == 0 || length + size > EASEL_JPEG_LOOK) {
            continue;
        }
        int run = was >> EASEL_JPEG_RUN_SHIFT & EASEL_JPEG_RUN;
        length += size;
        int left = EASEL_JPEG_LOOK - length;
        int value = easel_jpeg_value(bits >> left & ((1 << size) - 1), size);
        // The bits behind these, with zeros for those that are out of sight.
        int end_length = ends[bits << length & ((1 << EASEL_JPEG_LOOK) - 1)];
        bool is_ended = end_length > 0 && end_length <= left;
        codes->words[bits] = word(
            length + (is_ended ? end_length : 0), run, run + 1 + (is_ended ? EASEL_JPEG_ENDED : 0), value, true);
    }
}

bool easel_jpeg_codes_make(easel_jpeg_codes *codes, const JHUFF_TBL *table, easel_jpeg_code_use use)
{
    memset(codes, 0, sizeof *codes);
    memcpy(codes->symbols, table->huffval, sizeof codes->symbols);
    int32_t code = 0;
    int place = 0;
    for (int length = 1; length <= 16; length += 1) {
        int count = table->bits[length];
        if (code + count > 1 << length || place + count > 256) {
            return false;
        }
        codes->first[length] = place - code;
        codes->most[length] = count > 0 ? code + count - 1 : -1;
        for (int index = 0; index < count; index += 1, code += 1, place += 1) {
            int symbol = codes->symbols[place];
            if (use == EASEL_JPEG_MEANS && symbol > 11) {
                return false; // Of no picture with 8 bits.
            }
            if (length > EASEL_JPEG_LOOK) {
                continue;
            }
            uint32_t meaning = plain_word(symbol, length, use);
            if (is_end(meaning)) {
                codes->end_code = code;
                codes->end_length = length;
            }
            int spare = EASEL_JPEG_LOOK - length;
            for (int bits = code << spare; bits < (code + 1) << spare; bits += 1) {
                codes->words[bits] = meaning;
            }
        }
        code <<= 1;
    }
    if (use != EASEL_JPEG_CORRECTIONS) {
        complete(codes);
    }
    return true;
}

void easel_jpeg_skips_make(easel_jpeg_skips skips, const easel_jpeg_codes *codes)
{
    for (int bits = 0; bits < 1 << EASEL_JPEG_FAR_LOOK; bits += 1) {
        int taken = 0, count = 0;
        bool is_last = false;
        // As long as the next code itself is in sight: its value need not be.
        while (taken < EASEL_JPEG_FAR_LOOK && !is_last) {
            int length, rest = bits << (16 - EASEL_JPEG_FAR_LOOK + taken) & 0xFFFF;
            int symbol = easel_jpeg_codes_find(codes, rest, &length);
            if (symbol < 0 || taken + length > EASEL_JPEG_FAR_LOOK) {
                break;
            }
            int run = symbol >> 4, size = symbol & 15;
            if (size == 0 && run != 0 && run != 15) {
                break;
            }
            is_last = symbol == 0;
            taken += length + size;
            count += is_last ? 0 : run + 1;
        }
        skips[bits] = (uint16_t)(taken | (is_last ? EASEL_JPEG_SKIP_IS_LAST : 0) | count << EASEL_JPEG_SKIP_COUNT_SHIFT);
    }
}

// A coefficient, or the end of a block.
typedef struct {
    uint8_t length, run, step; // no length for what is not all in sight
    int16_t value;
} single;

static void make_singles(single *singles, const easel_jpeg_codes *codes)
{
    memset(singles, 0, sizeof *singles << EASEL_JPEG_PAIR_LOOK);
    for (int length = 1, code = 0; length <= EASEL_JPEG_PAIR_LOOK; length += 1, code <<= 1) {
        for (; code <= codes->most[length]; code += 1) {
            int symbol = codes->symbols[(code + codes->first[length]) & 255];
            int run = symbol >> 4, size = symbol & 15, spare = EASEL_JPEG_PAIR_LOOK - length - size;
            if (spare < 0 || (size == 0 && run != 0 && run != 15)) {
                continue;
            }
            single *next = singles + (code << size << spare);
            for (int bits = 0; bits < 1 << size << spare; bits += 1, next += 1) {
                *next = (single) {
                    .length = (uint8_t)(length + size),
                    .run = (uint8_t)run,
                    .step = symbol == 0 ? EASEL_JPEG_ENDED : (uint8_t)(run + 1),
                    .value = (int16_t)easel_jpeg_value(bits >> spare, size),
                };
            }
        }
    }
}

void easel_jpeg_pairs_make(easel_jpeg_pairs pairs, const easel_jpeg_codes *codes)
{
    enum { COUNT = 1 << EASEL_JPEG_PAIR_LOOK };
    single singles[COUNT];
    make_singles(singles, codes);
    for (int bits = 0; bits < COUNT; bits += 1) {
        single first = singles[bits], second = first;
        int length = first.length, step = first.step, place = first.run;
        bool is_paired = false;
        while (length > 0 && step < EASEL_JPEG_ENDED) {
            single next = singles[bits << length & (COUNT - 1)];
            bool is_end = next.step == EASEL_JPEG_ENDED;
            if (next.length == 0 || length + next.length > EASEL_JPEG_PAIR_LOOK || (is_paired && !is_end)) {
                break;
            }
            if (!is_end) {
                second = next;
                place = step + next.run;
                is_paired = true;
            }
            length += next.length;
            step += next.step;
        }
        pairs[bits] = (uint64_t)length | (uint64_t)first.run << EASEL_JPEG_PAIR_FIRST_SHIFT
            | (uint64_t)place << EASEL_JPEG_PAIR_SECOND_SHIFT | (uint64_t)step << EASEL_JPEG_PAIR_STEP_SHIFT
            | (uint64_t)(uint16_t)first.value << EASEL_JPEG_PAIR_FIRST_VALUE_SHIFT
            | (uint64_t)(uint16_t)second.value << EASEL_JPEG_PAIR_SECOND_VALUE_SHIFT;
    }
}
