#ifndef EASEL_JPEG_SEGMENT_H
#define EASEL_JPEG_SEGMENT_H

#include "easel_jpeg_bits.h"
#include "easel_jpeg_codes.h"
#include "easel_jpeg_entropy.h"

#include <stdnoreturn.h>

// What decoding in libjpeg's place keeps from unit to unit, whatever kind the scan is of.
struct easel_jpeg_entropy {
    easel_jpeg_error *error;
    bool has_given_up;
    easel_jpeg_bits bits;
    int means[MAX_COMPONENTS];
    unsigned int until_restart, restart;
    struct easel_jpeg_drawing *drawing; // NULL where libjpeg draws
};

// At the beginning of a scan.
static inline void easel_jpeg_segment_begin(easel_jpeg_entropy *entropy, const struct jpeg_decompress_struct *info)
{
    const uint8_t *next = info->src->next_input_byte;
    entropy->bits = (easel_jpeg_bits) { .next = next, .end = next + info->src->bytes_in_buffer };
    entropy->until_restart = info->restart_interval;
    entropy->restart = 0;
    entropy->drawing = NULL;
    for (int component = 0; component < MAX_COMPONENTS; component += 1) {
        entropy->means[component] = 0;
    }
}

static inline noreturn void easel_jpeg_give_up(easel_jpeg_entropy *entropy)
{
    entropy->has_given_up = true;
    longjmp(entropy->error->target, 1);
}

// Whether all bits are used up but for those that fill the last byte, and a marker follows.
static inline bool easel_jpeg_segment_has_ended(const easel_jpeg_bits *bits)
{
    return bits->count - bits->made_up < 8 && bits->end - bits->next >= 2 && bits->next[0] == 0xFF && bits->next[1] != 0;
}

// Before each unit. Returns whether a restart marker was passed, behind which everything begins anew.
EASEL_INLINE bool easel_jpeg_segment_advance(easel_jpeg_entropy *entropy, const struct jpeg_decompress_struct *info)
{
    if (info->restart_interval == 0) {
        return false;
    }
    bool is_restarted = entropy->until_restart == 0;
    if (is_restarted) {
        easel_jpeg_bits *bits = &entropy->bits;
        if (!easel_jpeg_segment_has_ended(bits) || bits->next[1] != JPEG_RST0 + entropy->restart) {
            easel_jpeg_give_up(entropy);
        }
        bits->next += 2;
        bits->word = 0;
        bits->count = bits->made_up = 0;
        entropy->restart = (entropy->restart + 1) & 7;
        entropy->until_restart = info->restart_interval;
        for (int component = 0; component < MAX_COMPONENTS; component += 1) {
            entropy->means[component] = 0;
        }
    }
    entropy->until_restart -= 1;
    return is_restarted;
}

// Where the coefficients of a file stand in their block. Some places more, since two times sixteen zeros may lead beyond the last.
static const uint8_t easel_jpeg_order[64 + 32] = {
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55,
    62, 63,
    63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63,
};

// A code that is not in the table, or whose value is not in its word: its symbol, or -1.
EASEL_INLINE int easel_jpeg_long_code(easel_jpeg_bits *bits, const easel_jpeg_codes *codes, uint32_t word, int *value)
{
    int length = word & EASEL_JPEG_LENGTH;
    int symbol = (int)((word >> EASEL_JPEG_RUN_SHIFT & EASEL_JPEG_RUN) << 4 | word >> EASEL_JPEG_VALUE_SHIFT);
    if (length == 0) {
        symbol = easel_jpeg_codes_find(codes, (int32_t)easel_jpeg_bits_top(bits, 16), &length);
        if (symbol < 0) {
            return -1;
        }
    }
    easel_jpeg_bits_drop(bits, length);
    int size = symbol & 15;
    if (size > 0) {
        *value = easel_jpeg_value((int)easel_jpeg_bits_top(bits, size), size);
        easel_jpeg_bits_drop(bits, size);
    }
    return symbol;
}

// Adds the difference that comes next to a mean. Sums beyond 16 bits are of no picture: libjpeg has rules for them.
EASEL_INLINE bool easel_jpeg_decode_mean(easel_jpeg_bits *bits, const easel_jpeg_codes *codes, int *mean)
{
    if (bits->count < 32) {
        easel_jpeg_bits_fill(bits);
    }
    uint32_t word = codes->words[easel_jpeg_bits_top(bits, EASEL_JPEG_LOOK)];
    int difference = 0;
    if (word & EASEL_JPEG_HAS_VALUE) {
        easel_jpeg_bits_drop(bits, word & EASEL_JPEG_LENGTH);
        difference = (int32_t)word >> EASEL_JPEG_VALUE_SHIFT;
    } else if (easel_jpeg_long_code(bits, codes, word, &difference) < 0) {
        return false;
    }
    *mean += difference;
    return *mean <= INT16_MAX && *mean >= INT16_MIN;
}

#endif
