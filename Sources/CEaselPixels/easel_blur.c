#include "easel_blur.h"

#include <string.h>

// Both directions use the same filter: 16 pixels that are filtered in parallel form a group of 64 bytes, and the groups
// of a line follow each other. A group's sums stay in registers as the filter moves along the line.
#define GROUP 64

// The maximum radius at which sums fit 16 signed bits.
#define NARROW_RADIUS 63

static size_t clamp_index(ptrdiff_t index, size_t count) {
    return index < 0 ? 0 : (size_t)index < count ? (size_t)index : count - 1;
}

static const uint8_t *group_at(const uint8_t *line, ptrdiff_t index, size_t count) {
    return line + clamp_index(index, count) * GROUP;
}

static void first_sums(const uint8_t *line, size_t count, ptrdiff_t radius, uint32_t sums[GROUP]) {
    for (int lane = 0; lane < GROUP; lane++) sums[lane] = 0;
    for (ptrdiff_t index = -radius; index <= radius; index++) {
        const uint8_t *values = group_at(line, index, count);
        for (int lane = 0; lane < GROUP; lane++) sums[lane] += values[lane];
    }
}

static void filter_plain(const uint8_t *from, uint8_t *to, size_t count, const easel_box *box) {
    const ptrdiff_t radius = box->radius;
    const uint32_t inner = (uint32_t)box->inner, outer = (uint32_t)box->outer, shift = (uint32_t)box->shift;
    uint32_t sums[GROUP];
    first_sums(from, count, radius, sums);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *before = group_at(from, (ptrdiff_t)i - radius - 1, count);
        const uint8_t *after = group_at(from, (ptrdiff_t)i + radius + 1, count);
        const uint8_t *first = group_at(from, (ptrdiff_t)i - radius, count);
        uint8_t *values = to + i * GROUP;
        if (radius <= NARROW_RADIUS) {
            for (int lane = 0; lane < GROUP; lane++) {
                uint32_t edges = (uint32_t)before[lane] + after[lane];
                values[lane] = (uint8_t)((sums[lane] * inner + edges * outer + (1u << (shift - 1))) >> shift);
            }
        } else {
            for (int lane = 0; lane < GROUP; lane++) {
                uint64_t edges = (uint64_t)before[lane] + after[lane];
                values[lane] = (uint8_t)((sums[lane] * (uint64_t)inner + edges * outer + (1ull << (shift - 1))) >> shift);
            }
        }
        for (int lane = 0; lane < GROUP; lane++) sums[lane] += (uint32_t)after[lane] - first[lane];
    }
}

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx2"))) static inline __m256i widen(const uint8_t *bytes) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)bytes));
}

// Weights 16 sums and edges.
__attribute__((target("avx2"))) static inline __m256i weigh(__m256i sums, __m256i edges, __m256i weights, __m256i half,
                                                               __m128i shift) {
    __m256i low = _mm256_madd_epi16(_mm256_unpacklo_epi16(sums, edges), weights);
    __m256i high = _mm256_madd_epi16(_mm256_unpackhi_epi16(sums, edges), weights);
    low = _mm256_srl_epi32(_mm256_add_epi32(low, half), shift);
    high = _mm256_srl_epi32(_mm256_add_epi32(high, half), shift);
    return _mm256_packs_epi32(low, high);
}

__attribute__((target("avx2"))) static void filter_wide(const uint8_t *from, uint8_t *to, size_t count,
                                                        const easel_box *box) {
    const ptrdiff_t radius = box->radius;
    const __m256i weights = _mm256_set1_epi32((int32_t)((uint32_t)box->outer << 16 | (uint32_t)box->inner));
    const __m256i half = _mm256_set1_epi32(1 << (box->shift - 1));
    const __m128i shift = _mm_cvtsi32_si128(box->shift);
    uint32_t start[GROUP];
    first_sums(from, count, radius, start);
    __m256i sums[4];
    for (int part = 0; part < 4; part++) {
        uint16_t narrow[16];
        for (int lane = 0; lane < 16; lane++) narrow[lane] = (uint16_t)start[part * 16 + lane];
        memcpy(&sums[part], narrow, sizeof narrow);
    }
    for (size_t i = 0; i < count; i++) {
        const uint8_t *before = group_at(from, (ptrdiff_t)i - radius - 1, count);
        const uint8_t *after = group_at(from, (ptrdiff_t)i + radius + 1, count);
        const uint8_t *first = group_at(from, (ptrdiff_t)i - radius, count);
        __m256i results[4];
#pragma clang loop unroll(full)
        for (int part = 0; part < 4; part++) {
            __m256i next = widen(after + part * 16);
            results[part] =
                weigh(sums[part], _mm256_add_epi16(widen(before + part * 16), next), weights, half, shift);
            sums[part] = _mm256_sub_epi16(_mm256_add_epi16(sums[part], next), widen(first + part * 16));
        }
        uint8_t *values = to + i * GROUP;
        for (int pair = 0; pair < 2; pair++) {
            __m256i bytes = _mm256_packus_epi16(results[pair * 2], results[pair * 2 + 1]);
            _mm256_storeu_si256((__m256i *)(values + pair * 32), _mm256_permute4x64_epi64(bytes, 0xD8));
        }
    }
}
#endif

// Filters three times: from a to b, to a, to b.
static void filter(uint8_t *a, uint8_t *b, size_t count, const easel_box *box, int plain) {
    void (*once)(const uint8_t *, uint8_t *, size_t, const easel_box *) = filter_plain;
#if defined(__x86_64__)
    if (!plain && box->radius <= NARROW_RADIUS && __builtin_cpu_supports("avx2")) once = filter_wide;
#endif
    once(a, b, count, box);
    once(b, a, count, box);
    once(a, b, count, box);
}

// Lines are read and written four pixels at a time.
static size_t round_up(size_t length) { return (length + 3) & ~(size_t)3; }

size_t easel_blur_scratch(size_t length) { return 2 * GROUP * round_up(length); }

typedef uint32_t pixels4 __attribute__((vector_size(16)));

static void transpose(pixels4 rows[4]) {
    pixels4 a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
    pixels4 b = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
    pixels4 c = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
    pixels4 d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
    rows[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    rows[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    rows[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    rows[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

void easel_blur_rows(const uint8_t *source, size_t source_stride, uint8_t *target, size_t target_stride, size_t width,
                     size_t count, const easel_box *box, uint8_t *scratch, int plain) {
    uint8_t *a = scratch, *b = scratch + GROUP * round_up(width);
    for (size_t x = 0; x < width; x += 4) {
        for (size_t top = 0; top < 16; top += 4) {
            pixels4 square[4];
            // The last row replaces missing rows.
            for (size_t y = 0; y < 4; y++)
                memcpy(&square[y], source + clamp_index((ptrdiff_t)(top + y), count) * source_stride + x * 4, 16);
            transpose(square);
            for (size_t i = 0; i < 4; i++) memcpy(a + (x + i) * GROUP + top * 4, &square[i], 16);
        }
    }
    filter(a, b, width, box, plain);
    for (size_t x = 0; x < width; x += 4) {
        for (size_t top = 0; top < count; top += 4) {
            pixels4 square[4];
            for (size_t i = 0; i < 4; i++) memcpy(&square[i], b + (x + i) * GROUP + top * 4, 16);
            transpose(square);
            for (size_t y = top; y < top + 4 && y < count; y++)
                memcpy(target + y * target_stride + x * 4, &square[y - top], 16);
        }
    }
}

void easel_blur_columns(uint8_t *pixels, size_t stride, size_t height, const easel_box *box, uint8_t *scratch, int plain) {
    uint8_t *a = scratch, *b = scratch + GROUP * round_up(height);
    for (size_t y = 0; y < height; y++) memcpy(a + y * GROUP, pixels + y * stride, GROUP);
    filter(a, b, height, box, plain);
    for (size_t y = 0; y < height; y++) memcpy(pixels + y * stride, b + y * GROUP, GROUP);
}
