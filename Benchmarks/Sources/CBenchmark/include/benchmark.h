#ifndef BENCHMARK_H
#define BENCHMARK_H

#include <stddef.h>
#include <stdint.h>

/// The bytes that this process has allocated and not freed.
size_t benchmark_allocated_bytes(void);

/// The time that all threads of this process have spent on processors.
uint64_t benchmark_processor_nanoseconds(void);

#endif
