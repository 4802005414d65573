// Alpha and component order. Included once for each variant; NAME distinguishes them.

void NAME(easel_expand_rgb)(const uint8_t *samples, uint8_t *pixels, size_t count) {
    size_t x = 0;
    // Eight pixels in two halves, so that no bytes cross the middle of a vector.
    for (; x + 8 <= count; x += 8) {
        u8x16 first = LOAD(u8x16, samples + 3 * x), second = LOAD(u8x16, samples + 3 * x + 12);
        u8x32 both = __builtin_shufflevector(
            first, second, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
            26, 27, 28, 29, 30, 31);
        u8x32 turned = __builtin_shufflevector(
            both, both, 2, 1, 0, 0, 5, 4, 3, 3, 8, 7, 6, 6, 11, 10, 9, 9, 18, 17, 16, 16, 21, 20, 19, 19, 24, 23, 22, 22,
            27, 26, 25, 25);
        STORE(pixels + 4 * x, (u32x8)turned | 0xFF000000u);
    }
    for (; x < count; x += 1) {
        const uint8_t *sample = samples + 3 * x;
        uint8_t *pixel = pixels + 4 * x;
        pixel[0] = sample[2];
        pixel[1] = sample[1];
        pixel[2] = sample[0];
        pixel[3] = 255;
    }
}

// Returns v * alpha / 255, rounded to nearest.
static inline __attribute__((always_inline)) uint8_t NAME(scaled)(unsigned v, unsigned alpha) {
    unsigned product = v * alpha + 128;
    return (uint8_t)((product + (product >> 8)) >> 8);
}

// Uses 16-bit words for the first and third component, and for the second. The fourth is unchanged.
#define DEFINE_PREMULTIPLY(name, swaps)                                                                                \
    uint8_t NAME(name)(const uint8_t *samples, uint8_t *pixels, size_t count)                                          \
    {                                                                                                                  \
        size_t x = 0;                                                                                                  \
        u32x8 common = ~(u32x8){0};                                                                                    \
        for (; x + 8 <= count; x += 8) {                                                                               \
            u32x8 straight = LOAD(u32x8, samples + 4 * x);                                                             \
            common &= straight;                                                                                        \
            u32x8 alpha = straight >> 24;                                                                              \
            u16x16 factor = (u16x16)(alpha | alpha << 16);                                                             \
            u16x16 outer = (u16x16)(straight & 0x00FF00FFu) * factor + 128;                                            \
            u16x16 inner = (u16x16)(straight >> 8 & 0xFFu) * factor + 128;                                             \
            u32x8 sides = (u32x8)((outer + (outer >> 8)) >> 8);                                                        \
            u32x8 middle = (u32x8)((inner + (inner >> 8)) >> 8) << 8 & 0xFF00u;                                        \
            if (swaps) sides = sides >> 16 | sides << 16;                                                              \
            STORE(pixels + 4 * x, sides | middle | (straight & 0xFF000000u));                                          \
        }                                                                                                              \
        uint32_t bits = 0xFFFFFFFFu;                                                                                   \
        for (int lane = 0; lane < 8; lane += 1) bits &= common[lane];                                                  \
        uint8_t all = (uint8_t)(bits >> 24);                                                                           \
        for (; x < count; x += 1) {                                                                                    \
            uint8_t first = samples[4 * x], third = samples[4 * x + 2], alpha = samples[4 * x + 3];                    \
            pixels[4 * x] = NAME(scaled)(swaps ? third : first, alpha);                                                \
            pixels[4 * x + 1] = NAME(scaled)(samples[4 * x + 1], alpha);                                               \
            pixels[4 * x + 2] = NAME(scaled)(swaps ? first : third, alpha);                                            \
            pixels[4 * x + 3] = alpha;                                                                                 \
            all &= alpha;                                                                                              \
        }                                                                                                              \
        return all;                                                                                                    \
    }

DEFINE_PREMULTIPLY(easel_expand_rgba, 1)
DEFINE_PREMULTIPLY(easel_premultiply, 0)

uint8_t NAME(easel_common_alpha)(const uint8_t *pixels, size_t count) {
    uint32_t bits = 0xFFFFFFFFu;
    size_t x = 0;
    u32x8 common = ~(u32x8){0};
    for (; x + 8 <= count; x += 8) common &= LOAD(u32x8, pixels + 4 * x);
    for (int lane = 0; lane < 8; lane += 1) bits &= common[lane];
    uint8_t all = (uint8_t)(bits >> 24);
    for (; x < count; x += 1) all &= pixels[4 * x + 3];
    return all;
}

void NAME(easel_make_opaque)(uint8_t *pixels, size_t count) {
    size_t x = 0;
    for (; x + 8 <= count; x += 8) STORE(pixels + 4 * x, LOAD(u32x8, pixels + 4 * x) | 0xFF000000u);
    for (; x < count; x += 1) pixels[4 * x + 3] = 255;
}
