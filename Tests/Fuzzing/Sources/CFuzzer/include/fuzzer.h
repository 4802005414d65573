#ifndef EASEL_FUZZER_H
#define EASEL_FUZZER_H

#include <stddef.h>
#include <stdint.h>

// libFuzzer's entry for a program with a `main` of its own; no header of it is installed.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*test)(const uint8_t *bytes, size_t count));

#endif
