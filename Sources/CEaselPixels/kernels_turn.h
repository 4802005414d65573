// Moving whole pixels. Included once for each variant; NAME distinguishes them.

void NAME(easel_mirror)(const uint8_t *pixels, uint8_t *mirrored, size_t count, bool passes_cache) {
#define MIRRORED(eight) __builtin_shufflevector(eight, eight, 7, 6, 5, 4, 3, 2, 1, 0)
    size_t x = 0;
    if (passes_cache && (uintptr_t)mirrored % sizeof(u32x8) == 0) {
        for (; x + 16 <= count; x += 16) {
            const uint8_t *from = pixels + 4 * (count - x - 16);
            // Hardware prefetching is less effective for descending addresses.
            __builtin_prefetch(from - 1024);
            u32x8 left = LOAD(u32x8, from), right = LOAD(u32x8, from + 32);
            __builtin_nontemporal_store(MIRRORED(right), (u32x8 *)(mirrored + 4 * x));
            __builtin_nontemporal_store(MIRRORED(left), (u32x8 *)(mirrored + 4 * x + 32));
        }
        FINISH_STORES();
    }
    for (; x + 8 <= count; x += 8) {
        u32x8 eight = LOAD(u32x8, pixels + 4 * (count - x - 8));
        STORE(mirrored + 4 * x, MIRRORED(eight));
    }
    for (; x < count; x += 1) memcpy(mirrored + 4 * x, pixels + 4 * (count - x - 1), 4);
#undef MIRRORED
}

// Transposes by pairs, fours and halves: three times eight shuffles for 64 pixels.
static inline __attribute__((always_inline)) void NAME(transpose8)(
    const uint8_t *source, ptrdiff_t source_step, uint8_t *target, ptrdiff_t target_step) {
    u32x8 r0 = LOAD(u32x8, source), r1 = LOAD(u32x8, source + source_step);
    u32x8 r2 = LOAD(u32x8, source + 2 * source_step), r3 = LOAD(u32x8, source + 3 * source_step);
    u32x8 r4 = LOAD(u32x8, source + 4 * source_step), r5 = LOAD(u32x8, source + 5 * source_step);
    u32x8 r6 = LOAD(u32x8, source + 6 * source_step), r7 = LOAD(u32x8, source + 7 * source_step);
#define LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define LOW2(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define HIGH2(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define LOW4(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define HIGH4(a, b) __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15)
    u32x8 a0 = LOW(r0, r1), a1 = HIGH(r0, r1), a2 = LOW(r2, r3), a3 = HIGH(r2, r3);
    u32x8 a4 = LOW(r4, r5), a5 = HIGH(r4, r5), a6 = LOW(r6, r7), a7 = HIGH(r6, r7);
    u32x8 b0 = LOW2(a0, a2), b1 = HIGH2(a0, a2), b2 = LOW2(a1, a3), b3 = HIGH2(a1, a3);
    u32x8 b4 = LOW2(a4, a6), b5 = HIGH2(a4, a6), b6 = LOW2(a5, a7), b7 = HIGH2(a5, a7);
    STORE(target, LOW4(b0, b4));
    STORE(target + target_step, LOW4(b1, b5));
    STORE(target + 2 * target_step, LOW4(b2, b6));
    STORE(target + 3 * target_step, LOW4(b3, b7));
    STORE(target + 4 * target_step, HIGH4(b0, b4));
    STORE(target + 5 * target_step, HIGH4(b1, b5));
    STORE(target + 6 * target_step, HIGH4(b2, b6));
    STORE(target + 7 * target_step, HIGH4(b3, b7));
#undef LOW
#undef HIGH
#undef LOW2
#undef HIGH2
#undef LOW4
#undef HIGH4
}

// 16 x 16 pixels, so that cache lines of both images are read and written completely.
static inline __attribute__((always_inline)) void NAME(transpose16)(
    const uint8_t *source, ptrdiff_t source_step, uint8_t *target, ptrdiff_t target_step) {
    for (int half = 0; half < 2; half += 1) {
        uint8_t *rows = target + 8 * half * target_step;
        NAME(transpose8)(source + 32 * half, source_step, rows, target_step);
        NAME(transpose8)(source + 32 * half + 8 * source_step, source_step, rows + 32, target_step);
    }
}

// Transposes with non-temporal stores.
static inline __attribute__((always_inline)) void NAME(transpose16_past_cache)(
    const uint8_t *source, ptrdiff_t source_step, uint8_t *target, ptrdiff_t target_step) {
    _Alignas(64) uint8_t square[16 * 64];
    NAME(transpose16)(source, source_step, square, 64);
    for (int row = 0; row < 16; row += 1, target += target_step) {
        u32x8 left = LOAD(u32x8, square + 64 * row), right = LOAD(u32x8, square + 64 * row + 32);
        __builtin_nontemporal_store(left, (u32x8 *)target);
        __builtin_nontemporal_store(right, (u32x8 *)(target + 32));
    }
}

// Transposes the edges outside of the 16 x 16 squares.
static void NAME(transpose_edges)(
    const uint8_t *source, ptrdiff_t source_step, uint8_t *target, ptrdiff_t target_step, size_t width, size_t height) {
    for (size_t y = 0; y < height; y += 8) {
        for (size_t x = 0; x < width; x += 8) {
            const uint8_t *from = source + (ptrdiff_t)y * source_step + 4 * (ptrdiff_t)x;
            uint8_t *to = target + (ptrdiff_t)x * target_step + 4 * (ptrdiff_t)y;
            if (x + 8 <= width && y + 8 <= height) {
                NAME(transpose8)(from, source_step, to, target_step);
                continue;
            }
            for (size_t row = 0; row < 8 && y + row < height; row += 1) {
                for (size_t column = 0; column < 8 && x + column < width; column += 1) {
                    memcpy(
                        to + (ptrdiff_t)column * target_step + 4 * row, from + (ptrdiff_t)row * source_step + 4 * column,
                        4);
                }
            }
        }
    }
}

void NAME(easel_transpose)(
    const uint8_t *source, ptrdiff_t source_step, uint8_t *target, ptrdiff_t target_step, size_t width, size_t height,
    bool passes_cache) {
    size_t right = width & ~(size_t)15, bottom = height & ~(size_t)15;
    bool is_aligned = (uintptr_t)target % sizeof(u32x8) == 0 && target_step % (ptrdiff_t)sizeof(u32x8) == 0;
    // Iterates along the rows of the source. Down its columns, each row is in another page and, if the row length is a
    // power of two, in the same few cache sets, which takes two to three times as long.
    for (size_t y = 0; y < bottom; y += 16) {
        for (size_t x = 0; x < right; x += 16) {
            const uint8_t *from = source + (ptrdiff_t)y * source_step + 4 * (ptrdiff_t)x;
            uint8_t *to = target + (ptrdiff_t)x * target_step + 4 * (ptrdiff_t)y;
            if (passes_cache && is_aligned) {
                NAME(transpose16_past_cache)(from, source_step, to, target_step);
            } else {
                NAME(transpose16)(from, source_step, to, target_step);
            }
        }
    }
    if (passes_cache) FINISH_STORES();
    NAME(transpose_edges)(
        source + 4 * (ptrdiff_t)right, source_step, target + (ptrdiff_t)right * target_step, target_step, width - right, height);
    NAME(transpose_edges)(
        source + (ptrdiff_t)bottom * source_step, source_step, target + 4 * (ptrdiff_t)bottom, target_step, right,
        height - bottom);
}

// Pixels of 64 bits. A cache line has eight of them.

void NAME(easel_mirror_deep)(const uint8_t *pixels, uint8_t *mirrored, size_t count) {
    for (size_t x = 0; x < count; x += 1) memcpy(mirrored + 8 * x, pixels + 8 * (count - x - 1), 8);
}

void NAME(easel_transpose_deep)(
    const uint8_t *source, ptrdiff_t source_step, uint8_t *target, ptrdiff_t target_step, size_t width, size_t height) {
    for (size_t x = 0; x < width; x += 8) {
        size_t columns = width - x < 8 ? width - x : 8;
        for (size_t y = 0; y < height; y += 1) {
            const uint8_t *from = source + (ptrdiff_t)y * source_step + 8 * (ptrdiff_t)x;
            uint8_t *to = target + (ptrdiff_t)x * target_step + 8 * (ptrdiff_t)y;
            for (size_t column = 0; column < columns; column += 1) {
                memcpy(to + (ptrdiff_t)column * target_step, from + 8 * column, 8);
            }
        }
    }
}
