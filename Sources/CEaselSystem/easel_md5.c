#include "easel_system.h"

#include <string.h>

// RFC 1321 3.4, with the four rounds unrolled: a loop that selects its step takes three times as long.
#define TURN(value, bits) ((value) << (bits) | (value) >> (32 - (bits)))
#define F(x, y, z) (((x) & (y)) | (~(x) & (z)))
#define G(x, y, z) (((z) & (x)) | (~(z) & (y)))
#define H(x, y, z) ((x) ^ (y) ^ (z))
#define I(x, y, z) ((y) ^ ((x) | ~(z)))
#define STEP(mix, a, b, c, d, word, bits, sine) a = (b) + TURN((a) + mix(b, c, d) + words[word] + sine##u, bits)
#define FOUR(mix, w0, w1, w2, w3, t0, t1, t2, t3, s0, s1, s2, s3) \
    STEP(mix, a, b, c, d, w0, t0, s0);                             \
    STEP(mix, d, a, b, c, w1, t1, s1);                             \
    STEP(mix, c, d, a, b, w2, t2, s2);                             \
    STEP(mix, b, c, d, a, w3, t3, s3)

static uint32_t word_at(const unsigned char *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void easel_md5_update(uint32_t state[4], const void *block) {
    uint32_t words[16];
    for (int i = 0; i < 16; i++) words[i] = word_at((const unsigned char *)block + 4 * i);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    FOUR(F, 0, 1, 2, 3, 7, 12, 17, 22, 0xD76AA478, 0xE8C7B756, 0x242070DB, 0xC1BDCEEE);
    FOUR(F, 4, 5, 6, 7, 7, 12, 17, 22, 0xF57C0FAF, 0x4787C62A, 0xA8304613, 0xFD469501);
    FOUR(F, 8, 9, 10, 11, 7, 12, 17, 22, 0x698098D8, 0x8B44F7AF, 0xFFFF5BB1, 0x895CD7BE);
    FOUR(F, 12, 13, 14, 15, 7, 12, 17, 22, 0x6B901122, 0xFD987193, 0xA679438E, 0x49B40821);
    FOUR(G, 1, 6, 11, 0, 5, 9, 14, 20, 0xF61E2562, 0xC040B340, 0x265E5A51, 0xE9B6C7AA);
    FOUR(G, 5, 10, 15, 4, 5, 9, 14, 20, 0xD62F105D, 0x02441453, 0xD8A1E681, 0xE7D3FBC8);
    FOUR(G, 9, 14, 3, 8, 5, 9, 14, 20, 0x21E1CDE6, 0xC33707D6, 0xF4D50D87, 0x455A14ED);
    FOUR(G, 13, 2, 7, 12, 5, 9, 14, 20, 0xA9E3E905, 0xFCEFA3F8, 0x676F02D9, 0x8D2A4C8A);
    FOUR(H, 5, 8, 11, 14, 4, 11, 16, 23, 0xFFFA3942, 0x8771F681, 0x6D9D6122, 0xFDE5380C);
    FOUR(H, 1, 4, 7, 10, 4, 11, 16, 23, 0xA4BEEA44, 0x4BDECFA9, 0xF6BB4B60, 0xBEBFBC70);
    FOUR(H, 13, 0, 3, 6, 4, 11, 16, 23, 0x289B7EC6, 0xEAA127FA, 0xD4EF3085, 0x04881D05);
    FOUR(H, 9, 12, 15, 2, 4, 11, 16, 23, 0xD9D4D039, 0xE6DB99E5, 0x1FA27CF8, 0xC4AC5665);
    FOUR(I, 0, 7, 14, 5, 6, 10, 15, 21, 0xF4292244, 0x432AFF97, 0xAB9423A7, 0xFC93A039);
    FOUR(I, 12, 3, 10, 1, 6, 10, 15, 21, 0x655B59C3, 0x8F0CCC92, 0xFFEFF47D, 0x85845DD1);
    FOUR(I, 8, 15, 6, 13, 6, 10, 15, 21, 0x6FA87E4F, 0xFE2CE6E0, 0xA3014314, 0x4E0811A1);
    FOUR(I, 4, 11, 2, 9, 6, 10, 15, 21, 0xF7537E82, 0xBD3AF235, 0x2AD7D2BB, 0xEB86D391);
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}
