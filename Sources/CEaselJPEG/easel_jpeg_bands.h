#ifndef EASEL_JPEG_BANDS_H
#define EASEL_JPEG_BANDS_H

#include "easel_jpeg_segment.h"

// Bands of the coefficients of a block, as the scans of a progressive file have them: first their upper bits, and in later scans a
// bit more of each (ITU-T T.81, annex G.1.2.2 and G.1.2.3).
typedef struct {
    int first, end;     // the places of the band
    int low;            // the bits that are held back
    unsigned int ended; // blocks that end before they begin
    easel_jpeg_codes codes;
} easel_jpeg_band;

// So many blocks, of which the one at hand is the first, end: 2^n, and as many as the next n bits say.
EASEL_INLINE unsigned int easel_jpeg_ended_blocks(easel_jpeg_bits *bits, int run)
{
    unsigned int count = 1u << run;
    if (run > 0) {
        count += easel_jpeg_bits_top(bits, run);
        easel_jpeg_bits_drop(bits, run);
    }
    return count;
}

// The upper bits of a block's band. Marks in `filled` what is not zero; false for what makes no sense.
EASEL_INLINE bool easel_jpeg_decode_band(easel_jpeg_band *band, easel_jpeg_bits *bits, JCOEF *block, uint64_t *filled)
{
    const easel_jpeg_codes *codes = &band->codes;
    int place = band->first, end = band->end, factor = 1 << band->low;
    do {
        if (bits->count < 32) {
            easel_jpeg_bits_fill(bits);
        }
        uint32_t word = codes->words[easel_jpeg_bits_top(bits, EASEL_JPEG_LOOK)];
        if (word & EASEL_JPEG_HAS_VALUE) {
            int at = place + (int)(word >> EASEL_JPEG_RUN_SHIFT & EASEL_JPEG_RUN);
            int value = (int32_t)word >> EASEL_JPEG_VALUE_SHIFT;
            block[easel_jpeg_order[at]] = (JCOEF)(value * factor);
            *filled |= (uint64_t)(value != 0) << (at & 63);
            place += word >> EASEL_JPEG_STEP_SHIFT & EASEL_JPEG_STEP;
            easel_jpeg_bits_drop(bits, word & EASEL_JPEG_LENGTH);
            continue;
        }
        int value = 0;
        int symbol = easel_jpeg_long_code(bits, codes, word, &value);
        int run = symbol >> 4, size = symbol & 15;
        if (symbol < 0 || size + band->low > 15) {
            return false;
        }
        if (size == 0 && run < 15) {
            band->ended = easel_jpeg_ended_blocks(bits, run) - 1;
            return true;
        }
        place += run;
        block[easel_jpeg_order[place]] = (JCOEF)(value * factor);
        *filled |= (uint64_t)(value != 0) << (place & 63);
        place += 1;
    } while (place < end);
    if (place == end + EASEL_JPEG_ENDED) {
        // Behind the last place there is no end: what looked so is the next block's.
        easel_jpeg_bits_put_back(bits, codes->end_code, codes->end_length);
        return true;
    }
    return place == end || place >= EASEL_JPEG_END || (place > EASEL_JPEG_ENDED && place < end + EASEL_JPEG_ENDED);
}

// One bit for each of these coefficients, which says whether it becomes larger by `step`.
EASEL_INLINE void easel_jpeg_correct(easel_jpeg_bits *bits, JCOEF *block, uint64_t places, int step)
{
    while (places) {
        easel_jpeg_bits_fill(bits);
        int used = 0;
        for (; places && used < 56; used += 1, places &= places - 1) {
            JCOEF *coefficient = &block[easel_jpeg_order[__builtin_ctzll(places)]];
            int value = *coefficient;
            int is_larger = (int)(bits->word >> (63 - used) & 1) & ((value & step) == 0);
            *coefficient = (JCOEF)(value + (value < 0 ? -step : step) * is_larger);
        }
        easel_jpeg_bits_drop(bits, used);
    }
}

// The next bit of a block's band. `filled` tells what was not zero, and then what is not; false for what makes no sense.
EASEL_INLINE bool easel_jpeg_correct_band(easel_jpeg_band *band, easel_jpeg_bits *bits, JCOEF *block, uint64_t *filled)
{
    const easel_jpeg_codes *codes = &band->codes;
    int step = 1 << band->low;
    uint64_t before = *filled;
    uint64_t rest = (UINT64_MAX << band->first) & (UINT64_MAX >> (64 - band->end));
    while (rest && band->ended == 0) {
        if (bits->count < 32) {
            easel_jpeg_bits_fill(bits);
        }
        uint32_t word = codes->words[easel_jpeg_bits_top(bits, EASEL_JPEG_LOOK)];
        int length = word & EASEL_JPEG_LENGTH, symbol = (int)(word >> EASEL_JPEG_VALUE_SHIFT);
        if (length == 0) {
            symbol = easel_jpeg_codes_find(codes, (int32_t)easel_jpeg_bits_top(bits, 16), &length);
        }
        int run = symbol >> 4, size = symbol & 15;
        if (symbol < 0 || size > 1) {
            return false;
        }
        easel_jpeg_bits_drop(bits, length);
        if (size == 0 && run < 15) {
            band->ended = easel_jpeg_ended_blocks(bits, run);
            break;
        }
        int value = 0;
        if (size > 0) {
            value = easel_jpeg_bits_top(bits, 1) ? step : -step;
            easel_jpeg_bits_drop(bits, 1);
        }
        // Behind so many zeros; what is passed over and not zero is corrected.
        uint64_t zeros = rest & ~before;
        for (; run > 0; run -= 1) {
            zeros &= zeros - 1;
        }
        if (!zeros) {
            return false;
        }
        uint64_t place = zeros & -zeros;
        easel_jpeg_correct(bits, block, rest & before & (place - 1), step);
        if (size > 0) {
            block[easel_jpeg_order[__builtin_ctzll(place)]] = (JCOEF)value;
            *filled |= place;
        }
        rest &= ~(place | (place - 1));
    }
    if (band->ended > 0) {
        easel_jpeg_correct(bits, block, rest & before, step);
        band->ended -= 1;
    }
    return true;
}

#endif
