// The loops of the resampler. Included once for each variant; NAME distinguishes them.

enum { NAME(between_bits) = 6, NAME(weight_bits) = 14 };

void NAME(easel_blend_rows)(
    const uint8_t *rows, size_t bytes_per_row, const int16_t *weights, size_t row_count, int16_t *line, size_t count) {
    // Processes vertical strips of two vectors, so that sums stay in registers.
    for (size_t x = 0; x < count; x += 32) {
        i16x16 first = {0}, second = {0};
        const uint8_t *source = rows + x;
        for (size_t row = 0; row < row_count; row += 1, source += bytes_per_row) {
            i16x16 low = CONVERT(i16x16, LOAD(u8x16, source)) << 7;
            i16x16 high = CONVERT(i16x16, LOAD(u8x16, source + 16)) << 7;
            first += NAME(rounded_product)(low, weights[row]);
            second += NAME(rounded_product)(high, weights[row]);
        }
        STORE(line + x, first);
        STORE(line + x + 16, second);
    }
}

void NAME(easel_blend_columns)(
    const int16_t *line, const int32_t *starts, const int16_t *weights, size_t taps, uint8_t *pixels, size_t count) {
    const int shift = NAME(between_bits) + NAME(weight_bits);
    for (size_t x = 0; x < count; x += 1, weights += taps) {
        i32x8 sums = {0};
        const int16_t *values = line + 4 * (ptrdiff_t)starts[x];
        for (size_t tap = 0; tap < taps; tap += 4) {
            // Two pairs of pixels with interleaved components, so that products are added in pairs.
            i16x16 four = LOAD(i16x16, values + 4 * tap);
            i16x16 pairs = __builtin_shufflevector(four, four, 0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
            int32_t front = LOAD(int32_t, weights + tap), back = LOAD(int32_t, weights + tap + 2);
            sums += NAME(added_products)(pairs, (i16x16)(i32x8){front, front, front, front, back, back, back, back});
        }
        i32x4 sum = __builtin_shufflevector(sums, sums, 0, 1, 2, 3) + __builtin_shufflevector(sums, sums, 4, 5, 6, 7);
        sum = (sum + (1 << (shift - 1))) >> shift;
        i32x4 alpha = __builtin_shufflevector(sum, sum, 3, 3, 3, 3);
        // Clamps the overshoot of the filter, which would produce invalid colors.
        i32x4 zero = {0}, full = {255, 255, 255, 255};
        alpha = __builtin_elementwise_min(__builtin_elementwise_max(alpha, zero), full);
        sum = __builtin_elementwise_min(__builtin_elementwise_max(sum, zero), alpha);
        STORE(pixels + 4 * x, CONVERT(u8x4, sum));
    }
}

void NAME(easel_average_columns)(
    const uint16_t *sums, size_t block_width, uint32_t half, uint32_t reciprocal, uint8_t *pixels, size_t count) {
    for (size_t x = 0; x < count; x += 1, sums += 4 * block_width) {
        // Two columns at a time, then the odd one.
        u32x8 pairs = {0};
        size_t column = 0;
        for (; column + 2 <= block_width; column += 2) pairs += CONVERT(u32x8, LOAD(u16x8, sums + 4 * column));
        u32x4 total = __builtin_shufflevector(pairs, pairs, 0, 1, 2, 3) + __builtin_shufflevector(pairs, pairs, 4, 5, 6, 7);
        if (column < block_width) total += CONVERT(u32x4, LOAD(u16x4, sums + 4 * column));
        STORE(pixels + 4 * x, CONVERT(u8x4, (total + half) * reciprocal >> 24));
    }
}

void NAME(easel_add_rows)(const uint8_t *rows, size_t bytes_per_row, size_t row_count, uint16_t *sums, size_t count) {
    for (size_t x = 0; x < count; x += 32) {
        u16x16 first = {0}, second = {0};
        const uint8_t *source = rows + x;
        for (size_t row = 0; row < row_count; row += 1, source += bytes_per_row) {
            first += CONVERT(u16x16, LOAD(u8x16, source));
            second += CONVERT(u16x16, LOAD(u8x16, source + 16));
        }
        STORE(sums + x, first);
        STORE(sums + x + 16, second);
    }
}
