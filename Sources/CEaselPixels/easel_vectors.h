#ifndef EASEL_VECTORS_H
#define EASEL_VECTORS_H

#include "include/easel_pixels.h"
#include "include/easel_samples.h"

#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#define EASEL_X86 1
#endif

// Vector types of the compiler: one source for every processor. Without AVX2, 32 bytes take two registers.
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

// Both support unaligned memory.
#define LOAD(type, address) ({ type loaded_; memcpy(&loaded_, (address), sizeof loaded_); loaded_; })
#define STORE(address, value) ({ __typeof__(value) stored_ = (value); memcpy((address), &stored_, sizeof stored_); })

// Non-temporal stores require a fence before other threads may read the data.
#ifdef EASEL_X86
#define FINISH_STORES() _mm_sfence()
#else
#define FINISH_STORES() __atomic_thread_fence(__ATOMIC_RELEASE)
#endif

// All functions with vector arguments are inlined, so their calling convention does not matter.
#pragma clang diagnostic ignored "-Wpsabi"

#define CONVERT(type, value) __builtin_convertvector((value), type)

#endif
