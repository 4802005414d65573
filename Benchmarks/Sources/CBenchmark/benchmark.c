#include "benchmark.h"

#include <time.h>

#ifdef __APPLE__
#include <malloc/malloc.h>

size_t benchmark_allocated_bytes(void) { return mstats().bytes_used; }
#else
#include <malloc.h>

size_t benchmark_allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
#endif

uint64_t benchmark_processor_nanoseconds(void) { return (uint64_t)clock() * (1000000000 / CLOCKS_PER_SEC); }
