// The inverse transforms of JPEG (ITU-T T.81, A.3.3) in integers with 13 fraction bits, and reduced ones that scale
// a block to a half or a quarter of its size. Included once for each variant; NAME distinguishes them.
//
// Valid data never exceeds 16 bits. Larger values are clamped at the same points as in libjpeg-turbo's vector code.

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

// Sums may exceed 32 bits in a damaged file. Unsigned vectors may overflow.
static inline __attribute__((always_inline)) u32x8 NAME(raised)(i16x8 line, int bits)
{
    return (u32x8)CONVERT(i32x8, line) << bits;
}

#define ROUNDED(sums, shift) NAME(saturated)((i32x8)((sums) + (1u << ((shift) - 1))) >> (shift))

// One pass of the full transform. Each lane is a line of eight.
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

// One pass of the transform to half the size, which ignores the fifth coefficient.
static inline __attribute__((always_inline)) void NAME(halve_lines)(i16x8 lines[8], int shift, bool is_low)
{
    u32x8 sum = NAME(raised)(lines[0], 14), turn = NAME(products)(lines[2], lines[6], 15137, -6270);
    u32x8 odd0 = NAME(products)(lines[1], lines[3], 8697, -17799), odd2 = NAME(products)(lines[1], lines[3], 20995, 7373);
    if (!is_low) {
        odd0 += NAME(products)(lines[5], lines[7], 11893, -1730);
        odd2 += NAME(products)(lines[5], lines[7], -4926, -4176);
    }
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
    // If only the first row has coefficients, libjpeg-turbo's first pass is a shift, which wraps around.
    if (__builtin_reduce_max((u16x8)(lines[0] + 8192)) >= 16384) {
        i16x8 other_rows = before[1] | before[2] | before[3] | before[5] | before[6] | before[7];
        if (side == 8) other_rows |= before[4];
        if (__builtin_reduce_or(other_rows) == 0) {
            i16x8 first = (i16x8)((u16x8)lines[0] << 2);
            for (int row = 0; row < 8; row += 1) lines[row] = first;
            NAME(transpose_lines)(lines);
            return;
        }
    }
    if (side == 8) {
        NAME(transform_lines)(lines, 11, is_low);
    } else {
        NAME(halve_lines)(lines, 12, is_low);
        for (int row = 4; row < 8; row += 1) lines[row] = (i16x8){0};
    }
    NAME(transpose_lines)(lines);
}

// Returns the bytes of lanes as rows: those of the first two lines next to each other, and so on.
#define BYTES(a, b) (NAME(saturated_bytes)(NAME(joined)(a, b), -128, 127) + 128)

static inline __attribute__((always_inline)) void NAME(transform_full)(
    int16_t *block, const int16_t *steps, uint8_t *samples, size_t stride, bool is_low, bool clears)
{
    i16x8 lines[8];
    NAME(first_pass)(block, steps, lines, 8, is_low, clears);
    NAME(transform_lines)(lines, 18, is_low);
    u8x16 a = BYTES(lines[0], lines[4]), b = BYTES(lines[1], lines[5]);
    u8x16 c = BYTES(lines[2], lines[6]), d = BYTES(lines[3], lines[7]);
    u8x16 ac0 = MIX(a, c, 0), ac1 = MIX(a, c, 8), bd0 = MIX(b, d, 0), bd1 = MIX(b, d, 8);
    u8x16 low0 = MIX(ac0, bd0, 0), low1 = MIX(ac0, bd0, 8), high0 = MIX(ac1, bd1, 0), high1 = MIX(ac1, bd1, 8);
#define ROWS(x, y, o)                                                                                                  \
    (u8x16) __builtin_shufflevector((u32x4)x, (u32x4)y, o, o + 4, o + 1, o + 5)
    u8x16 rows[4] = {ROWS(low0, high0, 0), ROWS(low0, high0, 2), ROWS(low1, high1, 0), ROWS(low1, high1, 2)};
#undef ROWS
    for (int pair = 0; pair < 4; pair += 1) {
        memcpy(samples + 2 * (size_t)pair * stride, &rows[pair], 8);
        memcpy(samples + (2 * (size_t)pair + 1) * stride, (const uint8_t *)&rows[pair] + 8, 8);
    }
}

static inline __attribute__((always_inline)) void NAME(transform_half)(
    int16_t *block, const int16_t *steps, uint8_t *samples, size_t stride, bool is_low, bool clears)
{
    i16x8 lines[8];
    NAME(first_pass)(block, steps, lines, 4, is_low, clears);
    NAME(halve_lines)(lines, 19, is_low);
    u8x16 a = BYTES(lines[0], lines[1]), b = BYTES(lines[2], lines[3]);
    u8x16 rows = __builtin_shufflevector(a, b, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
    for (size_t row = 0; row < 4; row += 1) memcpy(samples + row * stride, (const uint8_t *)&rows + 4 * row, 4);
}

// The transform to a quarter of the size uses only the first coefficient of each direction and the odd ones.
static inline __attribute__((always_inline)) void NAME(transform_quarter)(
    int16_t *block, const int16_t *steps, uint8_t *samples, size_t stride, bool is_low, bool clears)
{
#define LINE(row) (i16x8)(LOAD(u16x8, block + 8 * (row)) * LOAD(u16x8, steps + 8 * (row)))
    i16x8 line0 = LINE(0), line1 = LINE(1), line3 = LINE(3);
    u32x8 even = NAME(raised)(line0, 15), odd = NAME(products)(line1, line3, 29692, -10426);
    if (!is_low) odd += NAME(products)(LINE(5), LINE(7), 6967, -5906);
#undef LINE
    if (clears) memset(block, 0, is_low ? 64 : 128);
    i32x8 top = (i32x8)(even + odd + (1u << 12)) >> 13, bottom = (i32x8)(even - odd + (1u << 12)) >> 13;
    i16x16 weights = {0, 29692, 0, -10426, 0, 6967, 0, -5906, 0, 29692, 0, -10426, 0, 6967, 0, -5906};
    u32x8 sums = (u32x8)NAME(added_products)(NAME(joined)(NAME(saturated)(top), NAME(saturated)(bottom)), weights);
    // The sums of the first four lanes and of the last four, in pairs of the two signs.
    u32x4 pairs = __builtin_shufflevector(sums, sums, 0, 2, 4, 6) + __builtin_shufflevector(sums, sums, 1, 3, 5, 7);
    u32x4 odds = __builtin_shufflevector(pairs, pairs, 0, 0, 2, 2) + __builtin_shufflevector(pairs, pairs, 1, 1, 3, 3);
    u32x4 evens = (u32x4)__builtin_shufflevector(top, bottom, 0, 0, 8, 8) << 15;
    i32x4 values = (i32x4)(evens + odds * (u32x4){1, -1, 1, -1} + (1u << 19)) >> 20;
    i32x4 least = {-128, -128, -128, -128}, most = {127, 127, 127, 127};
    values = __builtin_elementwise_min(__builtin_elementwise_max(values, least), most) + 128;
    samples[0] = (uint8_t)values[0], samples[1] = (uint8_t)values[1];
    samples[stride] = (uint8_t)values[2], samples[stride + 1] = (uint8_t)values[3];
}

void NAME(easel_transform)(
    int side, int16_t *block, const int16_t *steps, uint8_t *samples, size_t stride, bool is_low, bool clears)
{
#define TRANSFORM(kernel)                                                                                              \
    if (is_low) {                                                                                                      \
        NAME(kernel)(block, steps, samples, stride, true, clears);                                                     \
    } else {                                                                                                           \
        NAME(kernel)(block, steps, samples, stride, false, clears);                                                    \
    }
    switch (side) {
    case 8: TRANSFORM(transform_full) break;
    case 4: TRANSFORM(transform_half) break;
    default: TRANSFORM(transform_quarter)
    }
#undef TRANSFORM
}

#undef MIX
#undef TRANSPOSE_STEP
#undef ROUNDED
#undef BYTES
