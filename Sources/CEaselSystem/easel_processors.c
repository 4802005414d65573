#define _GNU_SOURCE
#include "easel_system.h"

#include <unistd.h>
#ifdef __linux__
#include <errno.h>
#include <sched.h>

// Returns the number of processors that the calling thread may use; 0 if it is unknown.
static int count_allowed(void) {
    // The kernel rejects a set that is smaller than its own, whose size is unknown.
    for (int capacity = CPU_SETSIZE; capacity <= 1 << 20; capacity *= 2) {
        cpu_set_t *set = CPU_ALLOC(capacity);
        if (set == NULL) return 0;
        size_t size = CPU_ALLOC_SIZE(capacity);
        CPU_ZERO_S(size, set);
        int failure = sched_getaffinity(0, size, set) == 0 ? 0 : errno;
        int count = failure == 0 ? CPU_COUNT_S(size, set) : 0;
        CPU_FREE(set);
        if (failure != EINVAL) return count;
    }
    return 0;
}
#else
static int count_allowed(void) { return 0; }
#endif

int easel_processor_count(void) {
    int allowed = count_allowed();
    if (allowed > 0) return allowed;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

uint64_t easel_physical_memory(void) {
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}
