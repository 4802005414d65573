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

/// Gives what is allocated by nobody back to the system.
void benchmark_trim(void);

#endif
