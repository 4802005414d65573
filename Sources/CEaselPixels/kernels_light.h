// The loops that resample 16-bit samples in floating point. Included once for each variant; NAME
// distinguishes them.
//
// All variants return identical bytes: the order of every sum is fixed, and products are not fused with sums.
#pragma clang fp contract(off)

void NAME(easel_blend_light_rows)(
    const float *rows, size_t row_length, size_t row_count, size_t first, const float *weights, size_t weight_count,
    float *line) {
    for (size_t x = 0; x < row_length; x += 16) {
        f32x8 low = {0}, high = {0};
        size_t row = first;
        for (size_t tap = 0; tap < weight_count; tap += 1) {
            const float *source = rows + row * row_length + x;
            low += LOAD(f32x8, source) * weights[tap];
            high += LOAD(f32x8, source + 8) * weights[tap];
            row = row + 1 == row_count ? 0 : row + 1;
        }
        STORE(line + x, low);
        STORE(line + x + 8, high);
    }
}

void NAME(easel_blend_light_columns)(
    const float *line, const int32_t *starts, const float *weights, size_t taps, float *colors, size_t count) {
    for (size_t x = 0; x < count; x += 1, weights += taps) {
        // Even pixels are in one half, odd ones in the other.
        f32x8 sums = {0};
        const float *values = line + 4 * (ptrdiff_t)starts[x];
        for (size_t tap = 0; tap < taps; tap += 2) {
            float even = weights[tap], odd = weights[tap + 1];
            sums += LOAD(f32x8, values + 4 * tap) * (f32x8){even, even, even, even, odd, odd, odd, odd};
        }
        STORE(colors + 4 * x,
            __builtin_shufflevector(sums, sums, 0, 1, 2, 3) + __builtin_shufflevector(sums, sums, 4, 5, 6, 7));
    }
}
