#ifndef EASEL_JPEG_REST_H
#define EASEL_JPEG_REST_H

#include "easel_jpeg_segment.h"

// What comes behind the mean of a block, in a file that has all of a block in one scan (ITU-T T.81, annex F.2.2.2).

// The coefficients from the `place`th on.
EASEL_INLINE bool easel_jpeg_decode_rest(easel_jpeg_bits *bits, const easel_jpeg_codes *codes, JCOEF *block, int place)
{
    uint32_t word;
    do {
        if (bits->count < 32) {
            easel_jpeg_bits_fill(bits);
        }
        word = codes->words[easel_jpeg_bits_top(bits, EASEL_JPEG_LOOK)];
        if (word & EASEL_JPEG_HAS_VALUE) {
            block[easel_jpeg_order[place + (word >> EASEL_JPEG_RUN_SHIFT & EASEL_JPEG_RUN)]] =
                (JCOEF)((int32_t)word >> EASEL_JPEG_VALUE_SHIFT);
            place += word >> EASEL_JPEG_STEP_SHIFT & EASEL_JPEG_STEP;
            easel_jpeg_bits_drop(bits, word & EASEL_JPEG_LENGTH);
        } else {
            int value = 0;
            int symbol = easel_jpeg_long_code(bits, codes, word, &value);
            if (symbol <= 0) {
                return symbol == 0;
            }
            if ((symbol & 15) == 0 && symbol != 0xF0) {
                return false;
            }
            place += symbol >> 4;
            block[easel_jpeg_order[place]] = (JCOEF)value;
            place += 1;
        }
    } while (place < DCTSIZE2);
    if (place == DCTSIZE2 + EASEL_JPEG_ENDED) {
        // Behind the last place there is no end: what looked so is the next block's.
        easel_jpeg_bits_put_back(bits, codes->end_code, codes->end_length);
        return true;
    }
    return place == DCTSIZE2 || place >= EASEL_JPEG_END
        || (place > EASEL_JPEG_ENDED && place < EASEL_JPEG_ENDED + DCTSIZE2);
}

// So many looks between two fills, without asking each time: whether it is time to fill nobody can foretell.
enum { EASEL_JPEG_PAIR_LOOKS = 5, EASEL_JPEG_SKIP_LOOKS = 2 };
_Static_assert(EASEL_JPEG_PAIR_LOOKS * EASEL_JPEG_PAIR_LOOK <= 56, "the bits of one fill");
_Static_assert(EASEL_JPEG_SKIP_LOOKS * EASEL_JPEG_SKIP_MOST <= 56, "the bits of one fill");

// From the second coefficient on, after a fill. Returns the place from which on a block has to be decoded one by one. Of one that
// was decoded to its end, `end` is the place behind its last coefficient.
EASEL_INLINE int easel_jpeg_decode_pairs(easel_jpeg_bits *bits, const uint64_t *pairs, JCOEF *block, int *end)
{
    int place = 1, step, length;
    uint64_t before;
    for (;; easel_jpeg_bits_fill(bits)) {
#pragma unroll
        for (int look = 0; look < EASEL_JPEG_PAIR_LOOKS; look += 1) {
            uint64_t pair = pairs[easel_jpeg_bits_top(bits, EASEL_JPEG_PAIR_LOOK)];
            // The second comes first: where the first is the block's last, what follows is written over.
            block[easel_jpeg_order[place + (pair >> EASEL_JPEG_PAIR_SECOND_SHIFT & EASEL_JPEG_PAIR_PLACE)]] =
                (JCOEF)(pair >> EASEL_JPEG_PAIR_SECOND_VALUE_SHIFT);
            block[easel_jpeg_order[place + (pair >> EASEL_JPEG_PAIR_FIRST_SHIFT & EASEL_JPEG_PAIR_PLACE)]] =
                (JCOEF)(pair >> EASEL_JPEG_PAIR_FIRST_VALUE_SHIFT);
            step = pair >> EASEL_JPEG_PAIR_STEP_SHIFT & EASEL_JPEG_PAIR_PLACE;
            length = pair & 63;
            before = bits->word;
            easel_jpeg_bits_drop(bits, length);
            place += step;
            if (place >= DCTSIZE2 || pair == 0) {
                goto last;
            }
        }
    }
last:
    if (place == DCTSIZE2 || (place >= EASEL_JPEG_ENDED && place < EASEL_JPEG_ENDED + DCTSIZE2)) {
        *end = place & (EASEL_JPEG_ENDED - 1);
        return DCTSIZE2;
    }
    // Some of it may be the next block's.
    bits->word = before;
    bits->count += length;
    return place - step;
}

// The same without the coefficients.
EASEL_INLINE int easel_jpeg_pass_rest(easel_jpeg_bits *bits, const uint16_t *skips)
{
    int place = 1;
    for (;; easel_jpeg_bits_fill(bits)) {
#pragma unroll
        for (int look = 0; look < EASEL_JPEG_SKIP_LOOKS; look += 1) {
            uint16_t skip = skips[easel_jpeg_bits_top(bits, EASEL_JPEG_FAR_LOOK)];
            int next = place + (skip >> EASEL_JPEG_SKIP_COUNT_SHIFT);
            bool is_last = skip & EASEL_JPEG_SKIP_IS_LAST;
            // What goes beyond the block looked at the next one. A code that is too long for the table skips nothing.
            if (next + is_last > DCTSIZE2 || skip == 0) {
                return place;
            }
            easel_jpeg_bits_drop(bits, skip & EASEL_JPEG_LENGTH);
            place = next;
            if (is_last || place == DCTSIZE2) {
                return DCTSIZE2;
            }
        }
    }
}

#endif
