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

#include "kernels_alpha.h"
#include "kernels_light.h"
#include "kernels_resample.h"
#include "kernels_samples.h"
#include "kernels_transform.h"
#include "kernels_turn.h"
#include "kernels_unfilter.h"
