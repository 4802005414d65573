#ifndef EASEL_JPEG_BITS_H
#define EASEL_JPEG_BITS_H

#include <stdbool.h>
#include <stdint.h>

// So that the state stays in registers.
#define EASEL_INLINE static inline __attribute__((always_inline))

// The bits of a scan's data, those that come next on top. Below `count` of them may stand some of the bytes at `next`.
typedef struct {
    uint64_t word;
    int count;
    int made_up; // of `count`: zeros, since the data has ended
    const uint8_t *next, *end;
} easel_jpeg_bits;

// The bytes one by one, up to a marker. The zero behind a 255 only says that this is none.
static easel_jpeg_bits easel_jpeg_bits_filled_slowly(easel_jpeg_bits bits)
{
    while (bits.count < 56) {
        const uint8_t *next = bits.next;
        bool is_stuffed = bits.end - next >= 2 && next[0] == 0xFF && next[1] == 0;
        if (next < bits.end && (next[0] != 0xFF || is_stuffed)) {
            bits.word |= (uint64_t)next[0] << (56 - bits.count);
            bits.next += is_stuffed ? 2 : 1;
        } else {
            bits.made_up += 8;
        }
        bits.count += 8;
    }
    return bits;
}

// At least 56 bits are there then, and at most 63.
EASEL_INLINE void easel_jpeg_bits_fill(easel_jpeg_bits *bits)
{
    if (bits->end - bits->next >= 8) {
        const uint8_t *next = bits->next;
        // Written so that compilers see the one instruction that it is.
        uint64_t word = (uint64_t)next[0] << 56 | (uint64_t)next[1] << 48 | (uint64_t)next[2] << 40
            | (uint64_t)next[3] << 32 | (uint64_t)next[4] << 24 | (uint64_t)next[5] << 16 | (uint64_t)next[6] << 8
            | (uint64_t)next[7];
        // Whether no byte is 255, whose complement is the zero that a subtraction borrows from.
        if (((~word - 0x0101010101010101) & word & 0x8080808080808080) == 0) {
            bits->word |= word >> bits->count;
            bits->next += (63 - bits->count) >> 3;
            bits->count |= 56;
            return;
        }
    }
    *bits = easel_jpeg_bits_filled_slowly(*bits);
}

// The next bits, from 1 to 32.
EASEL_INLINE unsigned int easel_jpeg_bits_top(const easel_jpeg_bits *bits, int count)
{
    return (unsigned int)(bits->word >> (64 - count));
}

EASEL_INLINE void easel_jpeg_bits_drop(easel_jpeg_bits *bits, int count)
{
    bits->word <<= count;
    bits->count -= count;
}

EASEL_INLINE void easel_jpeg_bits_put_back(easel_jpeg_bits *bits, uint64_t dropped, int count)
{
    bits->word = bits->word >> count | dropped << (64 - count);
    bits->count += count;
}

#endif
