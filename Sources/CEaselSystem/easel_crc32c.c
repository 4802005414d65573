#include "easel_system.h"

#include <string.h>

#if defined(__x86_64__)
#define HAVE_CHECKSUM_INSTRUCTION 1
#define WITH_CHECKSUM __attribute__((target("sse4.2")))
#define STEP8(crc, word) __builtin_ia32_crc32di(crc, word)
#define STEP1(crc, byte) __builtin_ia32_crc32qi((unsigned int)(crc), byte)
static int has_instruction(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("sse4.2");
}
#elif defined(__aarch64__) && (defined(__APPLE__) || defined(__ARM_FEATURE_CRC32))
// Every Apple processor has the instruction. On Linux, the compiler defines a macro if the target has it.
#define HAVE_CHECKSUM_INSTRUCTION 1
#define WITH_CHECKSUM __attribute__((target("crc")))
#define STEP8(crc, word) __builtin_arm_crc32cd((unsigned int)(crc), word)
#define STEP1(crc, byte) __builtin_arm_crc32cb((unsigned int)(crc), byte)
static int has_instruction(void) { return 1; }
#endif

#ifdef HAVE_CHECKSUM_INSTRUCTION

// The instruction has a latency of three cycles and a throughput of one per cycle, so three adjacent blocks are summed
// in parallel. Their sums are combined by shifting one over the length of a block of zeros, which takes a table lookup
// for each of its bytes.
#define BLOCK 1024

static uint32_t shifts[4][256];

WITH_CHECKSUM static uint32_t over_zeros(uint32_t crc) {
    uint64_t sum = crc;
    for (int i = 0; i < BLOCK / 8; i++) sum = STEP8(sum, 0);
    return (uint32_t)sum;
}

__attribute__((constructor)) static void fill_shifts(void) {
    if (!has_instruction()) return;
    for (int byte = 0; byte < 4; byte++)
        for (uint32_t value = 0; value < 256; value++) shifts[byte][value] = over_zeros(value << (8 * byte));
}

static uint32_t shift(uint32_t crc) {
    return shifts[0][crc & 0xFF] ^ shifts[1][crc >> 8 & 0xFF] ^ shifts[2][crc >> 16 & 0xFF] ^ shifts[3][crc >> 24];
}

static uint64_t word_at(const unsigned char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

WITH_CHECKSUM static uint32_t checksum(const unsigned char *bytes, size_t count) {
    uint64_t crc = 0xFFFFFFFF;
    while (count >= 3 * BLOCK) {
        uint64_t second = 0, third = 0;
        for (size_t i = 0; i < BLOCK; i += 8) {
            crc = STEP8(crc, word_at(bytes + i));
            second = STEP8(second, word_at(bytes + BLOCK + i));
            third = STEP8(third, word_at(bytes + 2 * BLOCK + i));
        }
        crc = shift(shift((uint32_t)crc) ^ (uint32_t)second) ^ (uint32_t)third;
        bytes += 3 * BLOCK;
        count -= 3 * BLOCK;
    }
    for (; count >= 8; bytes += 8, count -= 8) crc = STEP8(crc, word_at(bytes));
    for (; count > 0; bytes++, count--) crc = STEP1(crc, *bytes);
    return ~(uint32_t)crc;
}

int easel_crc32c(const void *bytes, size_t count, uint32_t *sum) {
    if (!has_instruction()) return 0;
    *sum = checksum(bytes, count);
    return 1;
}

#else

int easel_crc32c(const void *bytes, size_t count, uint32_t *sum) { return 0; }

#endif
