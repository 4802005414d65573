#ifndef EASEL_JPEG_CODES_H
#define EASEL_JPEG_CODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

// The Huffman codes of a JPEG (ITU-T T.81, annex F.2.2), as tables of what the next bits mean.

enum { EASEL_JPEG_LOOK = 10, EASEL_JPEG_FAR_LOOK = 12 };

// What the first code in so many bits is. A word of: the bits that it takes (5), the zeros before the coefficient (4), how
// many places it leads on (10), a flag, and the value (12), or the bits of it that follow the code.
//
// The end of a block is a zero at a place that holds none, and a step out of the block: what ends nobody can foretell, and
// so the loop that decodes has one branch for it.
enum {
    EASEL_JPEG_LENGTH = 31,
    EASEL_JPEG_RUN_SHIFT = 5,
    EASEL_JPEG_RUN = 15,
    EASEL_JPEG_STEP_SHIFT = 9,
    EASEL_JPEG_STEP = 1023,
    EASEL_JPEG_HAS_VALUE = 1 << 19, // the value is in the word, and its bits are counted
    EASEL_JPEG_VALUE_SHIFT = 20,
};

// What is added to the step by an end behind a value, and by one that stands alone.
enum { EASEL_JPEG_ENDED = 128, EASEL_JPEG_END = 256 };

typedef struct {
    uint32_t words[1 << EASEL_JPEG_LOOK]; // 0 for a code that is longer, or none
    int end_code, end_length;             // of the end of a block; no length without one
    int32_t most[18];                     // the greatest code of each length, -1 without one
    int32_t first[17];                    // what a code of this length is to be added to, to be the place of its symbol
    uint8_t symbols[256];
} easel_jpeg_codes;

// What can be passed over without its values: bits (5), a flag for the end of the block, and coefficients (7).
// At most EASEL_JPEG_SKIP_MOST bits, since values need not be in sight.
enum { EASEL_JPEG_SKIP_MOST = EASEL_JPEG_FAR_LOOK + 15, EASEL_JPEG_SKIP_IS_LAST = 0x20, EASEL_JPEG_SKIP_COUNT_SHIFT = 6 };
typedef uint16_t easel_jpeg_skips[1 << EASEL_JPEG_FAR_LOOK]; // 0 for a code that is longer, or none

// What the next bits say, as far as they are whole: one coefficient or two, and an end behind them. A word of: the bits that
// it takes (8), where the coefficients stand, from the place at hand on (8 each), how many places it leads on (8, EASEL_JPEG_ENDED
// among them for an end), and both values (16 each). Where there is no second coefficient it is the first once more.
//
// With 10 bits fewer pairs are in sight, with 12 fewer words stay in the processor's first cache: both are slower.
enum {
    EASEL_JPEG_PAIR_LOOK = 11,
    EASEL_JPEG_PAIR_PLACE = 255,
    EASEL_JPEG_PAIR_FIRST_SHIFT = 8,
    EASEL_JPEG_PAIR_SECOND_SHIFT = 16,
    EASEL_JPEG_PAIR_STEP_SHIFT = 24,
    EASEL_JPEG_PAIR_FIRST_VALUE_SHIFT = 32,
    EASEL_JPEG_PAIR_SECOND_VALUE_SHIFT = 48,
};
typedef uint64_t easel_jpeg_pairs[1 << EASEL_JPEG_PAIR_LOOK]; // 0 for a code that is longer with its value, or none

// What a table's codes stand for.
typedef enum {
    EASEL_JPEG_MEANS,        // differences of the first coefficients
    EASEL_JPEG_COEFFICIENTS, // the others, or the upper bits of them
    EASEL_JPEG_CORRECTIONS,  // what comes to the others in a later scan: of a word, the length, and the symbol as its value
} easel_jpeg_code_use;

// false for a table that makes no sense.
bool easel_jpeg_codes_make(easel_jpeg_codes *codes, const JHUFF_TBL *table, easel_jpeg_code_use use);
void easel_jpeg_pairs_make(easel_jpeg_pairs pairs, const easel_jpeg_codes *codes);
void easel_jpeg_skips_make(easel_jpeg_skips skips, const easel_jpeg_codes *codes);

// The value that `size` bits stand for.
static inline int easel_jpeg_value(int bits, int size)
{
    return bits < (1 << size >> 1) ? bits - (1 << size) + 1 : bits;
}

// The symbol of the code with which 16 bits begin, or -1. Of codes that are too long for the table.
static inline int easel_jpeg_codes_find(const easel_jpeg_codes *codes, int32_t bits, int *length)
{
    for (int count = 1; count <= 16; count += 1) {
        int32_t code = bits >> (16 - count);
        if (code <= codes->most[count]) {
            *length = count;
            return codes->symbols[(code + codes->first[count]) & 255];
        }
    }
    return -1;
}

#endif
