// Converts JPEG samples to pixels. Included once for each variant, before kernels_transform.h; NAME distinguishes them.

// Returns a * x + b * y.
static inline __attribute__((always_inline)) u32x8 NAME(products)(i16x8 a, i16x8 b, int16_t x, int16_t y)
{
    i16x16 pairs = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
    return (u32x8)NAME(added_products)(pairs, (i16x16){x, y, x, y, x, y, x, y, x, y, x, y, x, y, x, y});
}

// Compilers translate each of these to one instruction.
static inline __attribute__((always_inline)) i16x8 NAME(saturated)(i32x8 values)
{
    i32x8 minimum = (i32x8){0} + INT16_MIN, maximum = (i32x8){0} + INT16_MAX;
    return CONVERT(i16x8, __builtin_elementwise_min(__builtin_elementwise_max(values, minimum), maximum));
}

static inline __attribute__((always_inline)) u8x16 NAME(saturated_bytes)(
    i16x16 values, int16_t minimum, int16_t maximum)
{
    i16x16 cut = __builtin_elementwise_max(values, (i16x16){0} + minimum);
    return CONVERT(u8x16, __builtin_elementwise_min(cut, (i16x16){0} + maximum));
}

static inline __attribute__((always_inline)) i16x16 NAME(joined)(i16x8 a, i16x8 b)
{
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

static inline __attribute__((always_inline)) u16x16 NAME(widened)(const uint8_t *samples)
{
    return CONVERT(u16x16, LOAD(u8x16, samples));
}

// Returns (3 * value + its left or right neighbour + bias) >> shift.
#define WIDEN(load, left_bias, right_bias, shift)                                                                      \
    u16x16 values = load(0);                                                                                           \
    u16x16 before = (u16x16){0} + values[0];                                                                           \
    for (size_t i = 0; i < count; i += 16) {                                                                           \
        u16x16 after = load(i + 16);                                                                                   \
        u16x16 left = __builtin_shufflevector(                                                                         \
            before, values, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);                           \
        u16x16 right = __builtin_shufflevector(                                                                        \
            values, after, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);                                     \
        u16x16 triple = values * 3;                                                                                    \
        u16x16 pairs = (triple + left + left_bias) >> shift | ((triple + right + right_bias) >> shift) << 8;           \
        STORE(wide + 2 * i, pairs);                                                                                    \
        before = values;                                                                                               \
        values = after;                                                                                                \
    }

void NAME(easel_widen)(const uint8_t *samples, uint8_t *wide, size_t count)
{
#define SAMPLES(offset) NAME(widened)(samples + (offset))
    WIDEN(SAMPLES, 1, 2, 2)
#undef SAMPLES
}

void NAME(easel_widen_between)(const uint8_t *near, const uint8_t *far, uint8_t *wide, size_t count)
{
#define SAMPLES(offset) (NAME(widened)(near + (offset)) * 3 + NAME(widened)(far + (offset)))
    WIDEN(SAMPLES, 8, 7, 4)
#undef SAMPLES
}

#undef WIDEN

void NAME(easel_blend_samples)(const uint8_t *near, const uint8_t *far, uint8_t *row, int bias, size_t count)
{
    for (size_t i = 0; i < count; i += 16) {
        u16x16 sums = NAME(widened)(near + i) * 3 + NAME(widened)(far + i) + (uint16_t)bias;
        STORE(row + i, CONVERT(u8x16, sums >> 2));
    }
}

// Returns values * weight / 2^16, rounded to nearest.
static inline __attribute__((always_inline)) i16x16 NAME(weighted)(i16x16 values, int16_t weight)
{
    i32x16 products = CONVERT(i32x16, values + values) * (int32_t)weight;
    return (CONVERT(i16x16, products >> 16) + 1) >> 1;
}

// Returns the contribution of Cb and Cr to green, without the integer part of Cr.
static inline __attribute__((always_inline)) i16x16 NAME(green)(i16x16 blue, i16x16 red)
{
    i16x8 blue0 = __builtin_shufflevector(blue, blue, 0, 1, 2, 3, 4, 5, 6, 7);
    i16x8 blue1 = __builtin_shufflevector(blue, blue, 8, 9, 10, 11, 12, 13, 14, 15);
    i16x8 red0 = __builtin_shufflevector(red, red, 0, 1, 2, 3, 4, 5, 6, 7);
    i16x8 red1 = __builtin_shufflevector(red, red, 8, 9, 10, 11, 12, 13, 14, 15);
    i32x8 low = (i32x8)(NAME(products)(blue0, red0, -22554, 18734) + (1 << 15)) >> 16;
    i32x8 high = (i32x8)(NAME(products)(blue1, red1, -22554, 18734) + (1 << 15)) >> 16;
    return NAME(joined)(NAME(saturated)(low), NAME(saturated)(high));
}

// Alternates eight bytes of two vectors, from the offset o on.
#define MIX(x, y, o)                                                                                                   \
    __builtin_shufflevector(x, y, o, o + 16, o + 1, o + 17, o + 2, o + 18, o + 3, o + 19, o + 4, o + 20, o + 5,        \
        o + 21, o + 6, o + 22, o + 7, o + 23)
#define PIXELS(x, y, o)                                                                                                \
    (u8x16) __builtin_shufflevector((u16x8)x, (u16x8)y, o, o + 8, o + 1, o + 9, o + 2, o + 10, o + 3, o + 11)

static inline __attribute__((always_inline)) void NAME(color_sixteen)(
    const uint8_t *y, const uint8_t *cb, const uint8_t *cr, uint8_t *pixels)
{
    i16x16 light = (i16x16)NAME(widened)(y);
    i16x16 blue = (i16x16)NAME(widened)(cb) - 128, red = (i16x16)NAME(widened)(cr) - 128;
    // The factors 1.402, 1.772, -0.34414 and -0.71414. Their integer parts are added separately.
    u8x16 r = NAME(saturated_bytes)(light + red + NAME(weighted)(red, 26345), 0, 255);
    u8x16 b = NAME(saturated_bytes)(light + blue + blue + NAME(weighted)(blue, -14942), 0, 255);
    u8x16 g = NAME(saturated_bytes)(light - red + NAME(green)(blue, red), 0, 255);
    u8x16 a = (u8x16){0} + 255;
    u8x16 bg0 = MIX(b, g, 0), bg1 = MIX(b, g, 8), ra0 = MIX(r, a, 0), ra1 = MIX(r, a, 8);
    STORE(pixels, PIXELS(bg0, ra0, 0));
    STORE(pixels + 16, PIXELS(bg0, ra0, 4));
    STORE(pixels + 32, PIXELS(bg1, ra1, 0));
    STORE(pixels + 48, PIXELS(bg1, ra1, 4));
}

#undef PIXELS

void NAME(easel_color_samples)(
    const uint8_t *y, const uint8_t *cb, const uint8_t *cr, uint8_t *pixels, size_t count)
{
    size_t i = 0;
    for (; i + 16 <= count; i += 16) NAME(color_sixteen)(y + i, cb + i, cr + i, pixels + 4 * i);
    if (i < count) {
        uint8_t tail[64];
        NAME(color_sixteen)(y + i, cb + i, cr + i, tail);
        memcpy(pixels + 4 * i, tail, 4 * (count - i));
    }
}
