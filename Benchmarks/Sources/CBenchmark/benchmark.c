// System clocks beyond the C standard.
#define _GNU_SOURCE

#include "benchmark.h"

#include <time.h>

#ifdef __APPLE__
#include <malloc/malloc.h>

size_t benchmark_allocated_bytes(void) { return mstats().bytes_used; }
void benchmark_trim(void) {}
#else
#include <malloc.h>

size_t benchmark_allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

void benchmark_trim(void) { malloc_trim(0); }
#endif

uint64_t benchmark_processor_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}
