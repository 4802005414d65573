#define _GNU_SOURCE
#include "benchmark.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/xattr.h>
#include <unistd.h>

int benchmark_store(
    int folder, const char *name, const void *bytes, size_t count, const void *attribute, size_t attribute_count) {
    const char *temporary = ".being-written";
    int file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    int failed = write(file, bytes, count) != (ssize_t)count;
#ifdef __APPLE__
    failed |= fsetxattr(file, "user.benchmark", attribute, attribute_count, 0, 0);
#else
    failed |= fsetxattr(file, "user.benchmark", attribute, attribute_count, 0);
#endif
    failed |= close(file);
    return failed || renameat(folder, temporary, folder, name) ? -1 : 0;
}
