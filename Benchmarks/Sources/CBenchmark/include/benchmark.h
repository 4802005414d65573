#ifndef BENCHMARK_H
#define BENCHMARK_H

#include <stddef.h>
#include <stdint.h>

/// Returns the number of bytes that this process has allocated and not freed.
size_t benchmark_allocated_bytes(void);

/// Returns the processor time of all threads of this process.
uint64_t benchmark_processor_nanoseconds(void);

/// Starts counting the allocations of all threads of this process.
void benchmark_count_allocations(void);

/// Stops counting. Returns the number of allocations, or a negative number if they cannot be counted.
int64_t benchmark_counted_allocations(void);

/// Stores a file in an open folder with the minimal system calls for an atomic store with metadata: create under a
/// temporary name, write, set an attribute, close, and rename. Returns 0, or -1 on failure.
int benchmark_store(
    int folder, const char *name, const void *bytes, size_t count, const void *attribute, size_t attribute_count);

/// Returns free memory to the system.
void benchmark_trim(void);

#endif
