// The loops that average light, or 16-bit samples, in floating point. Included once for each variant; NAME
// distinguishes them.
//
// All variants return identical bytes: the order of every sum is fixed, and products are not fused with sums.
#pragma clang fp contract(off)

static inline __attribute__((always_inline)) float easel_straight_light(uint32_t component, uint32_t alpha, const float *lights) {
    uint32_t level = (component * 255 + alpha / 2) / alpha;
    return lights[level < 255 ? level : 255];
}

// Returns the premultiplied light of a premultiplied pixel. Levels are not linear, so alpha is divided out first.
static inline f32x4 easel_light_of_pixel(const uint8_t *pixel, const float *lights) {
    uint32_t alpha = pixel[3];
    if (alpha == 255) return (f32x4){lights[pixel[0]], lights[pixel[1]], lights[pixel[2]], 1};
    if (alpha == 0) return (f32x4){0};
    f32x4 light = {easel_straight_light(pixel[0], alpha, lights), easel_straight_light(pixel[1], alpha, lights),
        easel_straight_light(pixel[2], alpha, lights), 1};
    return light * ((float)alpha / 255);
}

void NAME(easel_add_light)(
    const uint8_t *rows, size_t bytes_per_row, size_t row_count, const float *lights, float *sums, size_t count) {
    size_t x = 0;
    for (; x + 4 <= count; x += 4) {
        f32x8 first = {0}, second = {0};
        const uint8_t *place = rows + 4 * x;
        for (size_t row = 0; row < row_count; row += 1, place += bytes_per_row) {
            u8x16 pixels = LOAD(u8x16, place);
            if ((place[3] & place[7] & place[11] & place[15]) == 255) {
                first += NAME(light_of_two)(__builtin_shufflevector(pixels, pixels, 0, 1, 2, 3, 4, 5, 6, 7), lights);
                second += NAME(light_of_two)(__builtin_shufflevector(pixels, pixels, 8, 9, 10, 11, 12, 13, 14, 15), lights);
            } else {
                f32x4 a = easel_light_of_pixel(place, lights), b = easel_light_of_pixel(place + 4, lights);
                f32x4 c = easel_light_of_pixel(place + 8, lights), d = easel_light_of_pixel(place + 12, lights);
                first += __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
                second += __builtin_shufflevector(c, d, 0, 1, 2, 3, 4, 5, 6, 7);
            }
        }
        STORE(sums + 4 * x, first);
        STORE(sums + 4 * x + 8, second);
    }
    for (; x < count; x += 1) {
        f32x4 sum = {0};
        const uint8_t *place = rows + 4 * x;
        for (size_t row = 0; row < row_count; row += 1, place += bytes_per_row) sum += easel_light_of_pixel(place, lights);
        STORE(sums + 4 * x, sum);
    }
}

void NAME(easel_average_light)(const float *sums, size_t block_width, float area, float *means, size_t count) {
    for (size_t x = 0; x < count; x += 1, sums += 4 * block_width) {
        f32x4 total = {0};
        for (size_t column = 0; column < block_width; column += 1) total += LOAD(f32x4, sums + 4 * column);
        STORE(means + 4 * x, total / area);
    }
}

void NAME(easel_blend_light_rows)(
    const float *rows, size_t row_length, size_t row_count, size_t first, const float *weights, size_t weight_count,
    float *line) {
    for (size_t x = 0; x < row_length; x += 16) {
        f32x8 low = {0}, high = {0};
        size_t row = first;
        for (size_t tap = 0; tap < weight_count; tap += 1) {
            const float *place = rows + row * row_length + x;
            low += LOAD(f32x8, place) * weights[tap];
            high += LOAD(f32x8, place + 8) * weights[tap];
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
