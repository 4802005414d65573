// The variants for processors with AVX2. Only code between the pragmas may use it.
#include "easel_vectors.h"

#ifdef EASEL_X86

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#define NAME(kernel) kernel##_avx2

static inline __attribute__((always_inline)) i16x16 NAME(rounded_product)(i16x16 values, int16_t weight) {
    return (i16x16)_mm256_mulhrs_epi16((__m256i)values, _mm256_set1_epi16(weight));
}

static inline __attribute__((always_inline)) i32x8 NAME(added_products)(i16x16 values, i16x16 weights) {
    return (i32x8)_mm256_madd_epi16((__m256i)values, (__m256i)weights);
}

// Returns the light of each byte of two opaque pixels; that of alpha is 1.
static inline __attribute__((always_inline)) f32x8 NAME(light_of_two)(u8x8 pixels, const float *lights) {
    return (f32x8)_mm256_i32gather_ps(lights, (__m256i)CONVERT(i32x8, pixels), 4);
}

// x * a + y * b.
static inline __attribute__((always_inline)) i32x8 NAME(added_pairs)(i16x8 a, i16x8 b, int16_t x, int16_t y)
{
    i16x16 pairs = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
    return (i32x8)_mm256_madd_epi16((__m256i)pairs, _mm256_set1_epi32((int32_t)((uint32_t)(uint16_t)y << 16 | (uint16_t)x)));
}

static inline __attribute__((always_inline)) i16x8 NAME(saturated)(i32x8 values)
{
    return (i16x8)_mm_packs_epi32(_mm256_castsi256_si128((__m256i)values), _mm256_extracti128_si256((__m256i)values, 1));
}

static inline __attribute__((always_inline)) u8x16 NAME(saturated_bytes)(i16x8 a, i16x8 b)
{
    return (u8x16)_mm_packs_epi16((__m128i)a, (__m128i)b);
}

static inline __attribute__((always_inline)) u8x16 NAME(unsigned_bytes)(i16x16 values)
{
    return (u8x16)_mm_packus_epi16(_mm256_castsi256_si128((__m256i)values), _mm256_extracti128_si256((__m256i)values, 1));
}

// What Cb and Cr give to green, without the whole of Cr.
static inline __attribute__((always_inline)) i16x16 NAME(green)(i16x16 blue, i16x16 red)
{
    __m256i weights = _mm256_set1_epi32((int32_t)(18734u << 16 | (uint16_t)-22554)), half = _mm256_set1_epi32(1 << 15);
    __m256i low = _mm256_madd_epi16(_mm256_unpacklo_epi16((__m256i)blue, (__m256i)red), weights);
    __m256i high = _mm256_madd_epi16(_mm256_unpackhi_epi16((__m256i)blue, (__m256i)red), weights);
    low = _mm256_srai_epi32(_mm256_add_epi32(low, half), 16);
    high = _mm256_srai_epi32(_mm256_add_epi32(high, half), 16);
    return (i16x16)_mm256_packs_epi32(low, high);
}

#include "kernels_alpha.h"
#include "kernels_light.h"
#include "kernels_resample.h"
#include "kernels_samples.h"
#include "kernels_transform.h"
#include "kernels_turn.h"
#include "kernels_unfilter.h"

#pragma clang attribute pop

#endif
