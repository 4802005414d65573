#ifndef BENCHMARK_H
#define BENCHMARK_H

#include <stddef.h>
#include <stdint.h>

/// The bytes that this process has allocated and not freed.
size_t benchmark_allocated_bytes(void);

/// The time that all threads of this process have spent on processors.
uint64_t benchmark_processor_nanoseconds(void);

/// Counts the allocations of all threads of this process from now on.
void benchmark_count_allocations(void);

/// Ends that. How many there were; negative where they cannot be counted.
int64_t benchmark_counted_allocations(void);

/// Stores a file in an open folder by the calls without which it could be torn or would have no metadata: one each to make it
/// under a temporary name, to write it, to set an attribute, to close it, and to rename it. Returns 0, or -1.
int benchmark_store(
    int folder, const char *name, const void *bytes, size_t count, const void *attribute, size_t attribute_count);

/// Gives what is allocated by nobody back to the system.
void benchmark_trim(void);

#endif
