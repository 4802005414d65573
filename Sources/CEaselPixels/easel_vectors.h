#ifndef EASEL_VECTORS_H
#define EASEL_VECTORS_H

#include "include/easel_pixels.h"

#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#define EASEL_X86 1
#endif

// Vectors of the compiler: one source for every processor. 16 bytes fit all, 32 are two of those without AVX2.
typedef uint8_t u8x4 __attribute__((vector_size(4)));
typedef uint8_t u8x8 __attribute__((vector_size(8)));
typedef uint8_t u8x16 __attribute__((vector_size(16)));
typedef uint8_t u8x32 __attribute__((vector_size(32)));
typedef int16_t i16x4 __attribute__((vector_size(8)));
typedef int16_t i16x8 __attribute__((vector_size(16)));
typedef int16_t i16x16 __attribute__((vector_size(32)));
typedef uint16_t u16x4 __attribute__((vector_size(8)));
typedef uint16_t u16x8 __attribute__((vector_size(16)));
typedef uint16_t u16x16 __attribute__((vector_size(32)));
typedef uint16_t u16x32 __attribute__((vector_size(64)));
typedef int32_t i32x4 __attribute__((vector_size(16)));
typedef int32_t i32x8 __attribute__((vector_size(32)));
typedef int32_t i32x16 __attribute__((vector_size(64)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));
typedef float f32x4 __attribute__((vector_size(16)));
typedef float f32x8 __attribute__((vector_size(32)));

// Memory need not be aligned for a vector.
#define LOAD(type, place) ({ type loaded_; memcpy(&loaded_, (place), sizeof loaded_); loaded_; })
#define STORE(place, value) ({ __typeof__(value) stored_ = (value); memcpy((place), &stored_, sizeof stored_); })

// What was written past the cache is seen by other threads only then in order.
#ifdef EASEL_X86
#define FINISH_STORES() _mm_sfence()
#else
#define FINISH_STORES() __atomic_thread_fence(__ATOMIC_RELEASE)
#endif

// The functions that take vectors are all inlined, so that it does not matter how a call would hand them over.
#pragma clang diagnostic ignored "-Wpsabi"

#define CONVERT(type, value) __builtin_convertvector((value), type)

#endif
