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

#include "kernels_alpha.h"
#include "kernels_light.h"
#include "kernels_resample.h"
#include "kernels_samples.h"
#include "kernels_transform.h"
#include "kernels_turn.h"
#include "kernels_unfilter.h"

#pragma clang attribute pop

#endif
