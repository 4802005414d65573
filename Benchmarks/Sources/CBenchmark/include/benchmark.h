#ifndef BENCHMARK_H
#define BENCHMARK_H

#include <stddef.h>

/// The bytes that this process has allocated and not freed.
size_t benchmark_allocated_bytes(void);

#endif
