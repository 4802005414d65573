#ifndef EASEL_MEMORY_H
#define EASEL_MEMORY_H

#include <stddef.h>

// Pages of the system's own, zeroed at first, and in huge pages where it has them. NULL where there is no room.
void *easel_memory_map(size_t count);

// Gives them back, all `count` bytes at once.
void easel_memory_unmap(void *start, size_t count);

#endif
