// Replaces the allocator's functions in the whole process. They count calls while counting is on, and forward them.
// While it is off, this costs one branch, for every contestant.

#include "benchmark.h"

#ifdef __GLIBC__
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_bool is_counting;
static atomic_int_least64_t allocation_count;

static inline void note(void) {
    if (atomic_load_explicit(&is_counting, memory_order_relaxed))
        atomic_fetch_add_explicit(&allocation_count, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    note();
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    note();
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    *block = memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}

void benchmark_count_allocations(void) {
    atomic_store(&allocation_count, 0);
    atomic_store(&is_counting, true);
}

int64_t benchmark_counted_allocations(void) {
    atomic_store(&is_counting, false);
    return atomic_load(&allocation_count);
}
#else
void benchmark_count_allocations(void) {}
int64_t benchmark_counted_allocations(void) { return -1; }
#endif
