// The inverse transforms of JPEG (ITU-T T.81, A.3.3) in integers of 13 fraction bits, and reduced ones that draw a block in a
// half or a quarter of its size. Included once for each make; NAME tells them apart.
//
// What an encoder writes never exceeds 16 bits. What exceeds them is cut off where libjpeg-turbo's vectors do.

#define TRANSPOSE_STEP(a, b, low, high)                                                                                \
    i16x8 low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);                                               \
    i16x8 high = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)

static inline __attribute__((always_inline)) void NAME(transpose_lines)(i16x8 lines[8])
{
    TRANSPOSE_STEP(lines[0], lines[4], a0, a1);
    TRANSPOSE_STEP(lines[1], lines[5], b0, b1);
    TRANSPOSE_STEP(lines[2], lines[6], c0, c1);
    TRANSPOSE_STEP(lines[3], lines[7], d0, d1);
    TRANSPOSE_STEP(a0, c0, e0, e1);
    TRANSPOSE_STEP(b0, d0, f0, f1);
    TRANSPOSE_STEP(a1, c1, g0, g1);
    TRANSPOSE_STEP(b1, d1, h0, h1);
    TRANSPOSE_STEP(e0, f0, l0, l1);
    TRANSPOSE_STEP(e1, f1, l2, l3);
    TRANSPOSE_STEP(g0, h0, l4, l5);
    TRANSPOSE_STEP(g1, h1, l6, l7);
    lines[0] = l0, lines[1] = l1, lines[2] = l2, lines[3] = l3;
    lines[4] = l4, lines[5] = l5, lines[6] = l6, lines[7] = l7;
}

// Sums may exceed 32 bits in a damaged file, which vectors without a sign allow.
static inline __attribute__((always_inline)) u32x8 NAME(raised)(i16x8 line, int bits)
{
    return (u32x8)CONVERT(i32x8, line) << bits;
}

#define ROUNDED(sums, shift) NAME(saturated)((i32x8)((sums) + (1u << ((shift) - 1))) >> (shift))

// One pass of the whole transform: each lane is a line of eight.
static inline __attribute__((always_inline)) void NAME(transform_lines)(i16x8 lines[8], int shift, bool is_low)
{
    u32x8 even0, even1, even2, even3, odd0, odd1, odd2, odd3;
    if (is_low) {
        i16x8 none = {0};
        u32x8 sum = NAME(raised)(lines[0], 13);
        u32x8 inner = NAME(products)(lines[2], none, 4433, 0), outer = NAME(products)(lines[2], none, 10703, 0);
        even0 = sum + outer, even3 = sum - outer, even1 = sum + inner, even2 = sum - inner;
        odd0 = NAME(products)(lines[3], lines[1], 9633 - 16069, 9633 - 7373);
        odd1 = NAME(products)(lines[3], lines[1], 9633 - 20995, 9633 - 3196);
        odd2 = NAME(products)(lines[3], lines[1], 25172 - 20995 + 9633 - 16069, 9633);
        odd3 = NAME(products)(lines[3], lines[1], 9633, 12299 - 7373 + 9633 - 3196);
    } else {
        u32x8 sum = NAME(raised)(lines[0] + lines[4], 13), difference = NAME(raised)(lines[0] - lines[4], 13);
        u32x8 inner = NAME(products)(lines[2], lines[6], 4433, 4433 - 15137);
        u32x8 outer = NAME(products)(lines[2], lines[6], 4433 + 6270, 4433);
        even0 = sum + outer, even3 = sum - outer, even1 = difference + inner, even2 = difference - inner;
        i16x8 z3 = lines[7] + lines[3], z4 = lines[5] + lines[1];
        u32x8 third = NAME(products)(z3, z4, 9633 - 16069, 9633), fourth = NAME(products)(z3, z4, 9633, 9633 - 3196);
        odd0 = NAME(products)(lines[7], lines[1], 2446 - 7373, -7373) + third;
        odd1 = NAME(products)(lines[5], lines[3], 16819 - 20995, -20995) + fourth;
        odd2 = NAME(products)(lines[5], lines[3], -20995, 25172 - 20995) + third;
        odd3 = NAME(products)(lines[7], lines[1], -7373, 12299 - 7373) + fourth;
    }
    lines[0] = ROUNDED(even0 + odd3, shift), lines[7] = ROUNDED(even0 - odd3, shift);
    lines[1] = ROUNDED(even1 + odd2, shift), lines[6] = ROUNDED(even1 - odd2, shift);
    lines[2] = ROUNDED(even2 + odd1, shift), lines[5] = ROUNDED(even2 - odd1, shift);
    lines[3] = ROUNDED(even3 + odd0, shift), lines[4] = ROUNDED(even3 - odd0, shift);
}

// The first pass where only four rows and columns count: two lines of four lanes each at once. Returns the four lines that are not 0
// as columns.
static inline __attribute__((always_inline)) void NAME(transform_low)(i16x8 lines[8])
{
#define TWICE(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11, 0, 8, 1, 9, 2, 10, 3, 11)
#define WEIGHTS(x, y, z, w) (i16x16){x, y, x, y, x, y, x, y, z, w, z, w, z, w, z, w}
    i16x8 none = {0};
    i16x16 even = TWICE(lines[2], none), odd = TWICE(lines[3], lines[1]);
    u32x8 sum = (u32x8)CONVERT(i32x8, __builtin_shufflevector(lines[0], lines[0], 0, 1, 2, 3, 0, 1, 2, 3)) << 13;
    u32x8 turn = (u32x8)NAME(added_products)(even, WEIGHTS(10703, 0, 4433, 0));
    u32x8 odd01 = (u32x8)NAME(added_products)(
        odd, WEIGHTS(9633 - 16069, 9633 - 7373, 9633 - 20995, 9633 - 3196));
    u32x8 odd32 = (u32x8)NAME(added_products)(
        odd, WEIGHTS(9633, 12299 - 7373 + 9633 - 3196, 25172 - 20995 + 9633 - 16069, 9633));
#undef TWICE
#undef WEIGHTS
    // Of these the first half is the line that is named first.
    i16x8 lines01 = ROUNDED(sum + turn + odd32, 11), lines76 = ROUNDED(sum + turn - odd32, 11);
    i16x8 lines32 = ROUNDED(sum - turn + odd01, 11), lines45 = ROUNDED(sum - turn - odd01, 11);
    u32x4 a = (u32x4)__builtin_shufflevector(lines01, lines01, 0, 4, 1, 5, 2, 6, 3, 7);
    u32x4 b = (u32x4)__builtin_shufflevector(lines32, lines32, 4, 0, 5, 1, 6, 2, 7, 3);
    u32x4 c = (u32x4)__builtin_shufflevector(lines45, lines45, 0, 4, 1, 5, 2, 6, 3, 7);
    u32x4 d = (u32x4)__builtin_shufflevector(lines76, lines76, 4, 0, 5, 1, 6, 2, 7, 3);
    u32x4 ab0 = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab1 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    u32x4 cd0 = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd1 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    lines[0] = (i16x8)__builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
    lines[1] = (i16x8)__builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
    lines[2] = (i16x8)__builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
    lines[3] = (i16x8)__builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

// One pass of the transform to half the size, which leaves out the fifth coefficient.
static inline __attribute__((always_inline)) void NAME(halve_lines)(i16x8 lines[8], int shift)
{
    u32x8 sum = NAME(raised)(lines[0], 14), turn = NAME(products)(lines[2], lines[6], 15137, -6270);
    u32x8 odd0 = NAME(products)(lines[1], lines[3], 8697, -17799) + NAME(products)(lines[5], lines[7], 11893, -1730);
    u32x8 odd2 = NAME(products)(lines[1], lines[3], 20995, 7373) + NAME(products)(lines[5], lines[7], -4926, -4176);
    u32x8 even0 = sum + turn, even2 = sum - turn;
    lines[0] = ROUNDED(even0 + odd2, shift), lines[3] = ROUNDED(even0 - odd2, shift);
    lines[1] = ROUNDED(even2 + odd0, shift), lines[2] = ROUNDED(even2 - odd0, shift);
}

static inline __attribute__((always_inline)) void NAME(first_pass)(
    int16_t *block, const int16_t *steps, i16x8 lines[8], int side, bool is_low, bool clears)
{
    int count = is_low ? 4 : 8;
    i16x8 before[8] = {0};
    for (int row = 0; row < count; row += 1) {
        before[row] = LOAD(i16x8, block + 8 * row);
        lines[row] = (i16x8)((u16x8)before[row] * LOAD(u16x8, steps + 8 * row));
    }
    for (int row = count; row < 8; row += 1) lines[row] = (i16x8){0};
    if (clears) memset(block, 0, (size_t)count * 16);
    // Where no row but the first has coefficients, libjpeg-turbo's first pass is a shift, which wraps around.
    if (__builtin_reduce_max((u16x8)(lines[0] + 8192)) >= 16384) {
        i16x8 rest = before[1] | before[2] | before[3] | before[5] | before[6] | before[7];
        if (side == 8) rest |= before[4];
        if (__builtin_reduce_or(rest) == 0) {
            i16x8 first = (i16x8)((u16x8)lines[0] << 2);
            for (int row = 0; row < 8; row += 1) lines[row] = first;
            NAME(transpose_lines)(lines);
            return;
        }
    }
    if (side == 8 && is_low) {
        NAME(transform_low)(lines);
        return;
    }
    if (side == 8) {
        NAME(transform_lines)(lines, 11, false);
    } else {
        NAME(halve_lines)(lines, 12);
        for (int row = 4; row < 8; row += 1) lines[row] = (i16x8){0};
    }
    NAME(transpose_lines)(lines);
}

// Of lanes that are rows, the bytes of the first two lines side by side and so on.
#define BYTES(a, b) (NAME(saturated_bytes)(NAME(joined)(a, b), -128, 127) + 128)

static inline __attribute__((always_inline)) void NAME(whole)(
    int16_t *block, const int16_t *steps, uint8_t *samples, size_t stride, bool is_low, bool clears)
{
    i16x8 lines[8];
    NAME(first_pass)(block, steps, lines, 8, is_low, clears);
    NAME(transform_lines)(lines, 18, is_low);
    u8x16 a = BYTES(lines[0], lines[4]), b = BYTES(lines[1], lines[5]);
    u8x16 c = BYTES(lines[2], lines[6]), d = BYTES(lines[3], lines[7]);
#define MIX(x, y, o)                                                                                                   \
    __builtin_shufflevector(x, y, o, o + 16, o + 1, o + 17, o + 2, o + 18, o + 3, o + 19, o + 4, o + 20, o + 5,        \
        o + 21, o + 6, o + 22, o + 7, o + 23)
    u8x16 ac0 = MIX(a, c, 0), ac1 = MIX(a, c, 8), bd0 = MIX(b, d, 0), bd1 = MIX(b, d, 8);
    u8x16 low0 = MIX(ac0, bd0, 0), low1 = MIX(ac0, bd0, 8), high0 = MIX(ac1, bd1, 0), high1 = MIX(ac1, bd1, 8);
#undef MIX
#define ROWS(x, y, o)                                                                                                  \
    (u8x16) __builtin_shufflevector((u32x4)x, (u32x4)y, o, o + 4, o + 1, o + 5)
    u8x16 rows[4] = {ROWS(low0, high0, 0), ROWS(low0, high0, 2), ROWS(low1, high1, 0), ROWS(low1, high1, 2)};
#undef ROWS
    for (int pair = 0; pair < 4; pair += 1) {
        memcpy(samples + 2 * (size_t)pair * stride, &rows[pair], 8);
        memcpy(samples + (2 * (size_t)pair + 1) * stride, (const uint8_t *)&rows[pair] + 8, 8);
    }
}

static inline __attribute__((always_inline)) void NAME(half)(
    int16_t *block, const int16_t *steps, uint8_t *samples, size_t stride, bool is_low, bool clears)
{
    i16x8 lines[8];
    NAME(first_pass)(block, steps, lines, 4, is_low, clears);
    NAME(halve_lines)(lines, 19);
    u8x16 columns[2] = {BYTES(lines[0], lines[1]), BYTES(lines[2], lines[3])};
    for (size_t row = 0; row < 4; row += 1) {
        uint8_t *target = samples + row * stride;
        target[0] = columns[0][row], target[1] = columns[0][row + 8];
        target[2] = columns[1][row], target[3] = columns[1][row + 8];
    }
}

static inline uint32_t NAME(product)(int16_t value, int16_t factor)
{
    return (uint32_t)((int32_t)value * factor);
}

static inline int32_t NAME(shifted)(uint32_t sum, int shift)
{
    return (int32_t)(sum + (1u << (shift - 1))) >> shift;
}

static inline int16_t NAME(cut)(int32_t value)
{
    return (int16_t)(value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value);
}

// A quarter of the size: only the first coefficients of each direction and the odd ones count.
static inline void NAME(quarter)(
    int16_t *block, const int16_t *steps, uint8_t *samples, size_t stride, bool is_low, bool clears)
{
    static const int columns[5] = {0, 1, 3, 5, 7};
    static const int16_t weights[4] = {29692, -10426, 6967, -5906};
    int32_t lines[2][5] = {{0}};
    for (int index = 0; index < (is_low ? 3 : 5); index += 1) {
        const int column = columns[index];
        uint32_t odd = 0;
        for (int order = 0; order < 4; order += 1) {
            int place = (2 * order + 1) * 8 + column;
            odd += NAME(product)((int16_t)((uint16_t)block[place] * (uint32_t)(uint16_t)steps[place]), weights[order]);
        }
        uint32_t even = (uint32_t)(int16_t)((uint16_t)block[column] * (uint32_t)(uint16_t)steps[column]) << 15;
        lines[0][index] = NAME(shifted)(even + odd, 13);
        lines[1][index] = NAME(shifted)(even - odd, 13);
    }
    if (clears) memset(block, 0, 128);
    for (size_t row = 0; row < 2; row += 1) {
        uint32_t odd = 0;
        for (int order = 0; order < 4; order += 1) odd += NAME(product)(NAME(cut)(lines[row][order + 1]), weights[order]);
        uint32_t even = (uint32_t)lines[row][0] << 15;
        int32_t left = NAME(shifted)(even + odd, 20), right = NAME(shifted)(even - odd, 20);
        samples[row * stride] = (uint8_t)((left < -128 ? -128 : left > 127 ? 127 : left) + 128);
        samples[row * stride + 1] = (uint8_t)((right < -128 ? -128 : right > 127 ? 127 : right) + 128);
    }
}

void NAME(easel_transform)(
    int side, int16_t *block, const int16_t *steps, uint8_t *samples, size_t stride, bool is_low, bool clears)
{
    switch (side) {
    case 8:
        if (is_low) {
            NAME(whole)(block, steps, samples, stride, true, clears);
        } else {
            NAME(whole)(block, steps, samples, stride, false, clears);
        }
        break;
    case 4:
        NAME(half)(block, steps, samples, stride, is_low, clears);
        break;
    default:
        NAME(quarter)(block, steps, samples, stride, is_low, clears);
    }
}

#undef TRANSPOSE_STEP
#undef ROUNDED
#undef BYTES
