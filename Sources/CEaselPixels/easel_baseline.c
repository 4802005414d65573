// The variants for the baseline of an architecture.
#include "easel_vectors.h"

#define NAME(kernel) kernel##_baseline

#ifdef EASEL_X86
// Rounds eight products from their upper and lower halves, since SSE2 has no rounding multiplication.
static inline __attribute__((always_inline)) i16x8 NAME(rounded_half)(i16x8 values, int16_t weight) {
    __m128i factor = _mm_set1_epi16(weight);
    i16x8 upper = (i16x8)_mm_mulhi_epi16((__m128i)values, factor);
    u16x8 lower = (u16x8)_mm_mullo_epi16((__m128i)values, factor);
    return upper + upper + (i16x8)(((lower >> 14) + 1) >> 1);
}
#endif

// Returns values * weight / 2^15, rounded to nearest.
static inline __attribute__((always_inline)) i16x16 NAME(rounded_product)(i16x16 values, int16_t weight) {
#ifdef EASEL_X86
    i16x8 low = __builtin_shufflevector(values, values, 0, 1, 2, 3, 4, 5, 6, 7);
    i16x8 high = __builtin_shufflevector(values, values, 8, 9, 10, 11, 12, 13, 14, 15);
    low = NAME(rounded_half)(low, weight);
    high = NAME(rounded_half)(high, weight);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#else
    i32x16 product = CONVERT(i32x16, values) * (int32_t)weight;
    return CONVERT(i16x16, (product + (1 << 14)) >> 15);
#endif
}

// Adds 16-bit products in pairs.
static inline __attribute__((always_inline)) i32x8 NAME(added_products)(i16x16 values, i16x16 weights) {
#ifdef EASEL_X86
    i16x8 lowValues = __builtin_shufflevector(values, values, 0, 1, 2, 3, 4, 5, 6, 7);
    i16x8 highValues = __builtin_shufflevector(values, values, 8, 9, 10, 11, 12, 13, 14, 15);
    i16x8 lowWeights = __builtin_shufflevector(weights, weights, 0, 1, 2, 3, 4, 5, 6, 7);
    i16x8 highWeights = __builtin_shufflevector(weights, weights, 8, 9, 10, 11, 12, 13, 14, 15);
    i32x4 low = (i32x4)_mm_madd_epi16((__m128i)lowValues, (__m128i)lowWeights);
    i32x4 high = (i32x4)_mm_madd_epi16((__m128i)highValues, (__m128i)highWeights);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#else
    i32x16 products = CONVERT(i32x16, values) * CONVERT(i32x16, weights);
    return __builtin_shufflevector(products, products, 0, 2, 4, 6, 8, 10, 12, 14)
        + __builtin_shufflevector(products, products, 1, 3, 5, 7, 9, 11, 13, 15);
#endif
}

// Returns the light of each byte of two opaque pixels; that of alpha is 1.
static inline __attribute__((always_inline)) f32x8 NAME(light_of_two)(u8x8 pixels, const float *lights) {
    return (f32x8){lights[pixels[0]], lights[pixels[1]], lights[pixels[2]], 1, lights[pixels[4]], lights[pixels[5]],
        lights[pixels[6]], 1};
}

// x * a + y * b.
static inline __attribute__((always_inline)) i32x8 NAME(added_pairs)(i16x8 a, i16x8 b, int16_t x, int16_t y)
{
#ifdef EASEL_X86
    __m128i weights = _mm_set1_epi32((int32_t)((uint32_t)(uint16_t)y << 16 | (uint16_t)x));
    i32x4 low = (i32x4)_mm_madd_epi16(_mm_unpacklo_epi16((__m128i)a, (__m128i)b), weights);
    i32x4 high = (i32x4)_mm_madd_epi16(_mm_unpackhi_epi16((__m128i)a, (__m128i)b), weights);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#else
    return CONVERT(i32x8, a) * (int32_t)x + CONVERT(i32x8, b) * (int32_t)y;
#endif
}

static inline __attribute__((always_inline)) i16x8 NAME(saturated)(i32x8 values)
{
#ifdef EASEL_X86
    return (i16x8)_mm_packs_epi32((__m128i)__builtin_shufflevector(values, values, 0, 1, 2, 3),
        (__m128i)__builtin_shufflevector(values, values, 4, 5, 6, 7));
#else
    i32x8 least = (i32x8){0} + INT16_MIN, most = (i32x8){0} + INT16_MAX;
    return CONVERT(i16x8, __builtin_elementwise_min(__builtin_elementwise_max(values, least), most));
#endif
}

static inline __attribute__((always_inline)) u8x16 NAME(saturated_bytes)(i16x8 a, i16x8 b)
{
#ifdef EASEL_X86
    return (u8x16)_mm_packs_epi16((__m128i)a, (__m128i)b);
#else
    i16x16 values = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    i16x16 least = (i16x16){0} - 128, most = (i16x16){0} + 127;
    return CONVERT(u8x16, __builtin_elementwise_min(__builtin_elementwise_max(values, least), most));
#endif
}

static inline __attribute__((always_inline)) u8x16 NAME(unsigned_bytes)(i16x16 values)
{
#ifdef EASEL_X86
    return (u8x16)_mm_packus_epi16((__m128i)__builtin_shufflevector(values, values, 0, 1, 2, 3, 4, 5, 6, 7),
        (__m128i)__builtin_shufflevector(values, values, 8, 9, 10, 11, 12, 13, 14, 15));
#else
    i16x16 least = {0}, most = (i16x16){0} + 255;
    return CONVERT(u8x16, __builtin_elementwise_min(__builtin_elementwise_max(values, least), most));
#endif
}

// What Cb and Cr give to green, without the whole of Cr.
static inline __attribute__((always_inline)) i16x16 NAME(green)(i16x16 blue, i16x16 red)
{
    i16x8 blue0 = __builtin_shufflevector(blue, blue, 0, 1, 2, 3, 4, 5, 6, 7);
    i16x8 blue1 = __builtin_shufflevector(blue, blue, 8, 9, 10, 11, 12, 13, 14, 15);
    i16x8 red0 = __builtin_shufflevector(red, red, 0, 1, 2, 3, 4, 5, 6, 7);
    i16x8 red1 = __builtin_shufflevector(red, red, 8, 9, 10, 11, 12, 13, 14, 15);
    i16x8 low = CONVERT(i16x8, (NAME(added_pairs)(blue0, red0, -22554, 18734) + (1 << 15)) >> 16);
    i16x8 high = CONVERT(i16x8, (NAME(added_pairs)(blue1, red1, -22554, 18734) + (1 << 15)) >> 16);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

#include "kernels_alpha.h"
#include "kernels_light.h"
#include "kernels_resample.h"
#include "kernels_samples.h"
#include "kernels_transform.h"
#include "kernels_turn.h"
#include "kernels_unfilter.h"
