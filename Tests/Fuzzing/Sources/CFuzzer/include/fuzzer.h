#ifndef EASEL_FUZZER_H
#define EASEL_FUZZER_H

#include <stddef.h>
#include <stdint.h>

// libFuzzer's entry point for a program with its own `main`. No installed header declares it.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*test)(const uint8_t *bytes, size_t count));

#endif
