#define _DEFAULT_SOURCE
#include "easel_memory.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// The size of huge pages on most processors. On others it is a harmless alignment.
enum { HUGE_PAGE = 2 << 20 };

void *easel_memory_map(size_t count) {
    // A block of less than two huge pages would rarely contain a whole one.
    size_t slack = count >= 2 * HUGE_PAGE ? HUGE_PAGE : 0;
    uint8_t *start = mmap(NULL, count + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (start == MAP_FAILED) return NULL;
    if (slack == 0) return start;
    size_t before = -(uintptr_t)start % HUGE_PAGE;
    if (before > 0) munmap(start, before);
    if (slack > before) {
        // The block can end inside a page, which stays mapped.
        uintptr_t page = (uintptr_t)getpagesize();
        uintptr_t end = ((uintptr_t)start + before + count + page - 1) & ~(page - 1);
        uintptr_t mapped = ((uintptr_t)start + count + slack + page - 1) & ~(page - 1);
        if (mapped > end) munmap((void *)end, mapped - end);
    }
    start += before;
#ifdef MADV_HUGEPAGE
    // One page fault for each 2 MiB instead of 4 KiB. The advice may be ignored.
    madvise(start, count, MADV_HUGEPAGE);
#endif
    return start;
}

void easel_memory_unmap(void *start, size_t count) { munmap(start, count); }
