// PNG 9.2. Included once for each variant; NAME distinguishes them.

#define FOR_ALL_DISTANCES(DEFINE) DEFINE(1) DEFINE(2) DEFINE(3) DEFINE(4) DEFINE(6) DEFINE(8)

// A prefix sum over pixels: sums of two, of four, of eight, plus the last sum of the previous vector. A vector depends
// on the previous one by two steps, instead of one for each pixel.
#define SUB_STEP(step, distance, sums)                                                                                 \
    (sums += __builtin_shufflevector(                                                                                  \
         (u8x16){0}, sums, 16 - (step) * (distance), 17 - (step) * (distance), 18 - (step) * (distance),               \
         19 - (step) * (distance), 20 - (step) * (distance), 21 - (step) * (distance), 22 - (step) * (distance),       \
         23 - (step) * (distance), 24 - (step) * (distance), 25 - (step) * (distance), 26 - (step) * (distance),       \
         27 - (step) * (distance), 28 - (step) * (distance), 29 - (step) * (distance), 30 - (step) * (distance),       \
         31 - (step) * (distance)))

#define LAST(d, i) (16 / (d) * (d) - (d) + (i) % (d))
#define LAST_PIXEL(d, v)                                                                                               \
    __builtin_shufflevector(                                                                                           \
        v, v, LAST(d, 0), LAST(d, 1), LAST(d, 2), LAST(d, 3), LAST(d, 4), LAST(d, 5), LAST(d, 6), LAST(d, 7),          \
        LAST(d, 8), LAST(d, 9), LAST(d, 10), LAST(d, 11), LAST(d, 12), LAST(d, 13), LAST(d, 14), LAST(d, 15))

#define DEFINE_SUB(d)                                                                                                  \
    static void NAME(sub##d)(uint8_t *row, size_t count)                                                               \
    {                                                                                                                  \
        const size_t step = 16 / d * d;                                                                                \
        u8x16 before = {0};                                                                                            \
        size_t i = 0;                                                                                                  \
        for (; i + 16 <= count; i += step) {                                                                           \
            u8x16 sums = LOAD(u8x16, row + i);                                                                         \
            SUB_STEP(1, d, sums);                                                                                      \
            if (2 * d < 16) SUB_STEP(2 * d < 16 ? 2 : 1, d, sums);                                                     \
            if (4 * d < 16) SUB_STEP(4 * d < 16 ? 4 : 1, d, sums);                                                     \
            if (8 * d < 16) SUB_STEP(8 * d < 16 ? 8 : 1, d, sums);                                                     \
            sums += before;                                                                                            \
            /* Bytes of an incomplete pixel are read again and must not change. */                                     \
            memcpy(row + i, &sums, step);                                                                              \
            before = LAST_PIXEL(d, sums);                                                                              \
        }                                                                                                              \
        for (i = i < d ? d : i; i < count; i += 1) row[i] = (uint8_t)(row[i] + row[i - d]);                            \
    }

FOR_ALL_DISTANCES(DEFINE_SUB)

static void NAME(up)(uint8_t *row, const uint8_t *previous, size_t count) {
    size_t i = 0;
    for (; i + 32 <= count; i += 32) STORE(row + i, LOAD(u8x32, row + i) + LOAD(u8x32, previous + i));
    for (; i < count; i += 1) row[i] = (uint8_t)(row[i] + previous[i]);
}

// One pixel at a time, since each depends on the previous one. Reads eight bytes, of which `distance` are used.
#define LOAD_PIXEL(d, address)                                                                                         \
    ((d) <= 4 ? (u8x16)(u32x4){LOAD(uint32_t, address), 0, 0, 0}                                                       \
              : (u8x16)(unsigned long long __attribute__((vector_size(16)))){LOAD(uint64_t, address), 0})
#define STORE_PIXEL(d, address, v)                                                                                     \
    ({                                                                                                                 \
        unsigned long long bytes_ = ((unsigned long long __attribute__((vector_size(16))))(v))[0];                     \
        memcpy((address), &bytes_, d);                                                                                 \
    })

#define DEFINE_AVERAGE(d)                                                                                              \
    static void NAME(average##d)(uint8_t *row, const uint8_t *previous, size_t count)                                  \
    {                                                                                                                  \
        u8x16 left = {0};                                                                                              \
        for (size_t i = 0; i + d <= count; i += d) {                                                                   \
            u8x16 above = LOAD_PIXEL(d, previous + i);                                                                 \
            u8x16 raw = LOAD_PIXEL(d, row + i);                                                                        \
            /* Half of each, plus one if both have a remainder. */                                                     \
            u8x16 mean = (left & above) + (((left ^ above) >> 1) & 0x7F);                                              \
            left = raw + mean;                                                                                         \
            STORE_PIXEL(d, row + i, left);                                                                             \
        }                                                                                                              \
    }

FOR_ALL_DISTANCES(DEFINE_AVERAGE)

#define WIDEN(v) CONVERT(i16x8, __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7))
#define NARROW(v) __builtin_shufflevector((u8x16)(v), (u8x16){0}, 0, 2, 4, 6, 8, 10, 12, 14, 16, 16, 16, 16, 16, 16, 16, 16)
#define CHOOSE(mask, yes, no) (((yes) & (mask)) | ((no) & ~(mask)))

// The neighbor nearest to left + above - corner, without absolute values. With t = 3 * corner - (left + above), the
// smaller of left and above is nearest if t is at least the larger one, and the larger if t is at most the smaller one;
// otherwise the corner is. A pixel depends on the previous one by six steps instead of ten.
#define DEFINE_PAETH(d)                                                                                                \
    static void NAME(paeth##d)(uint8_t *row, const uint8_t *previous, size_t count)                                    \
    {                                                                                                                  \
        i16x8 left = {0}, corner = {0};                                                                                \
        for (size_t i = 0; i + d <= count; i += d) {                                                                   \
            i16x8 above = WIDEN(LOAD_PIXEL(d, previous + i));                                                          \
            i16x8 raw = WIDEN(LOAD_PIXEL(d, row + i));                                                                 \
            i16x8 partial = corner + corner + corner - above;                                                          \
            i16x8 low = __builtin_elementwise_min(left, above);                                                        \
            i16x8 high = __builtin_elementwise_max(left, above);                                                       \
            i16x8 t = partial - left;                                                                                  \
            i16x8 nearest = CHOOSE(high > t, corner, low);                                                             \
            nearest = CHOOSE(t > low, nearest, high);                                                                  \
            left = (raw + nearest) & 0xFF;                                                                             \
            STORE_PIXEL(d, row + i, NARROW(left));                                                                     \
            corner = above;                                                                                            \
        }                                                                                                              \
    }

FOR_ALL_DISTANCES(DEFINE_PAETH)

#define FOR_DISTANCE(kernel, ...)                                                                                      \
    switch (distance) {                                                                                                \
    case 1: NAME(kernel##1)(__VA_ARGS__); break;                                                                       \
    case 2: NAME(kernel##2)(__VA_ARGS__); break;                                                                       \
    case 3: NAME(kernel##3)(__VA_ARGS__); break;                                                                       \
    case 4: NAME(kernel##4)(__VA_ARGS__); break;                                                                       \
    case 6: NAME(kernel##6)(__VA_ARGS__); break;                                                                       \
    case 8: NAME(kernel##8)(__VA_ARGS__); break;                                                                       \
    }

void NAME(easel_unfilter)(int filter, uint8_t *row, const uint8_t *previous, size_t count, size_t distance) {
    switch (filter) {
    case 1: FOR_DISTANCE(sub, row, count) break;
    case 2: NAME(up)(row, previous, count); break;
    case 3: FOR_DISTANCE(average, row, previous, count) break;
    case 4: FOR_DISTANCE(paeth, row, previous, count) break;
    }
}
