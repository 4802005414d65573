#ifndef EASEL_MEMORY_H
#define EASEL_MEMORY_H

#include <stddef.h>

// Maps zeroed pages, in huge pages if available. Returns NULL if memory runs out.
void *easel_memory_map(size_t count);

// Unmaps all `count` bytes.
void easel_memory_unmap(void *start, size_t count);

#endif
