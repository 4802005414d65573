#include "easel_color.h"

typedef struct {
    uint32_t alpha, red, green, blue;
} color;

// Divides a premultiplied component by alpha. Premultiplication restores the component.
static inline uint32_t divide(uint32_t component, uint32_t alpha) {
    uint32_t quotient = (component * 255 + alpha / 2) / alpha;
    return quotient > 255 ? 255 : quotient;
}

static inline uint32_t multiplied(uint32_t component, uint32_t alpha) {
    uint32_t product = component * alpha + 128;
    return (product + (product >> 8)) >> 8;
}

static inline color straight(uint32_t pixel) {
    color rgba = {pixel >> 24, pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255};
    if (rgba.alpha == 0) return (color){0, 0, 0, 0};
    if (rgba.alpha != 255) {
        rgba.red = divide(rgba.red, rgba.alpha);
        rgba.green = divide(rgba.green, rgba.alpha);
        rgba.blue = divide(rgba.blue, rgba.alpha);
    }
    return rgba;
}

static inline uint32_t packed(color rgba) { return rgba.alpha << 24 | rgba.red << 16 | rgba.green << 8 | rgba.blue; }

static inline uint32_t premultiplied(color rgba) {
    if (rgba.alpha != 255) {
        rgba.red = multiplied(rgba.red, rgba.alpha);
        rgba.green = multiplied(rgba.green, rgba.alpha);
        rgba.blue = multiplied(rgba.blue, rgba.alpha);
    }
    return packed(rgba);
}

static inline uint32_t value(const uint8_t *curve, int32_t light) {
    light >>= EASEL_COLOR_SHIFT;
    return curve[light < 0 ? 0 : light > EASEL_COLOR_ONE ? EASEL_COLOR_ONE : light];
}

void easel_color_convert_plain(const easel_color_matrix *matrix, const uint8_t *curve, uint32_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i += 1) {
        color rgba = straight(pixels[i]);
        const int32_t *red = matrix->red[rgba.red], *green = matrix->green[rgba.green], *blue = matrix->blue[rgba.blue];
        rgba.blue = value(curve, red[0] + green[0] + blue[0]);
        rgba.green = value(curve, red[1] + green[1] + blue[1]);
        rgba.red = value(curve, red[2] + green[2] + blue[2]);
        pixels[i] = premultiplied(rgba);
    }
}

void easel_color_map(const uint8_t table[256], uint32_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i += 1) {
        color rgba = straight(pixels[i]);
        rgba.red = table[rgba.red];
        rgba.green = table[rgba.green];
        rgba.blue = table[rgba.blue];
        pixels[i] = premultiplied(rgba);
    }
}

void easel_color_straighten(const uint32_t *pixels, uint32_t *target, size_t count) {
    for (size_t i = 0; i < count; i += 1) target[i] = packed(straight(pixels[i]));
}

void easel_color_premultiply(const uint32_t *source, uint32_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i += 1) {
        color rgba = {source[i] >> 24, source[i] >> 16 & 255, source[i] >> 8 & 255, source[i] & 255};
        pixels[i] = premultiplied(rgba);
    }
}

#if defined(__x86_64__)

#include <smmintrin.h>

// Returns a row of 16 bytes by its offset, which takes one shift and one mask to extract from a pixel.
__attribute__((target("sse4.1"))) static inline __m128i
row_sse41(const int32_t table[256][4], uint32_t offset) {
    return _mm_loadu_si128((const __m128i *)((const char *)table + (offset & 0xFF0)));
}

__attribute__((target("sse4.1"))) static inline __m128i
light_sse41(const easel_color_matrix *matrix, uint32_t pixel) {
    __m128i red = row_sse41(matrix->red, pixel >> 12);
    __m128i green = row_sse41(matrix->green, pixel >> 4);
    __m128i blue = row_sse41(matrix->blue, pixel << 4);
    return _mm_srai_epi32(_mm_add_epi32(_mm_add_epi32(red, green), blue), EASEL_COLOR_SHIFT);
}

// `light` has 16 bits each of blue, green and red.
static inline uint32_t make_pixel(const uint8_t *curve, uint64_t light) {
    return 0xFF000000 | (uint32_t)curve[light >> 32 & 0xFFFF] << 16 | (uint32_t)curve[light >> 16 & 0xFFFF] << 8
        | curve[light & 0xFFFF];
}

__attribute__((target("sse4.1"))) static void
convert_sse41(const easel_color_matrix *matrix, const uint8_t *curve, uint32_t *pixels, size_t count) {
    const __m128i one = _mm_set1_epi16(EASEL_COLOR_ONE);
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        uint32_t *four = pixels + i;
        if ((four[0] & four[1] & four[2] & four[3]) >> 24 != 255) {
            easel_color_convert_plain(matrix, curve, four, 4);
            continue;
        }
        // Packing clamps to 0 and to 16 bits.
        __m128i first = _mm_packus_epi32(light_sse41(matrix, four[0]), light_sse41(matrix, four[1]));
        __m128i second = _mm_packus_epi32(light_sse41(matrix, four[2]), light_sse41(matrix, four[3]));
        first = _mm_min_epu16(first, one);
        second = _mm_min_epu16(second, one);
        four[0] = make_pixel(curve, (uint64_t)_mm_cvtsi128_si64(first));
        four[1] = make_pixel(curve, (uint64_t)_mm_extract_epi64(first, 1));
        four[2] = make_pixel(curve, (uint64_t)_mm_cvtsi128_si64(second));
        four[3] = make_pixel(curve, (uint64_t)_mm_extract_epi64(second, 1));
    }
    easel_color_convert_plain(matrix, curve, pixels + i, count - i);
}

#endif

void easel_color_convert(const easel_color_matrix *matrix, const uint8_t *curve, uint32_t *pixels, size_t count) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.1")) {
        convert_sse41(matrix, curve, pixels, count);
        return;
    }
#endif
    easel_color_convert_plain(matrix, curve, pixels, count);
}
