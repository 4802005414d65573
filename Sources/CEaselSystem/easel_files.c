#define _GNU_SOURCE
#include "easel_system.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#ifdef __linux__
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#endif

ssize_t easel_attribute_get(int file, const char *name, void *bytes, size_t capacity) {
#ifdef __APPLE__
    return fgetxattr(file, name, bytes, capacity, 0, 0);
#else
    return fgetxattr(file, name, bytes, capacity);
#endif
}

int easel_attribute_set(int file, const char *name, const void *bytes, size_t count) {
#ifdef __APPLE__
    return fsetxattr(file, name, bytes, count, 0, 0);
#else
    return fsetxattr(file, name, bytes, count, 0);
#endif
}

int easel_touch_at(int folder, const char *name, long seconds, long nanoseconds, bool is_modified) {
    struct timespec time = {.tv_sec = seconds, .tv_nsec = nanoseconds};
    struct timespec times[2] = {time, is_modified ? time : (struct timespec){.tv_nsec = UTIME_OMIT}};
    return utimensat(folder, name, times, AT_SYMLINK_NOFOLLOW);
}

int easel_set_modified_now(int file) {
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_nsec = UTIME_NOW}};
    return futimens(file, times);
}

int easel_open_cached(int folder, const char *name, int flags) {
#if defined(__linux__) && defined(SYS_openat2) && defined(RESOLVE_CACHED)
    struct open_how how = {.flags = (uint64_t)(unsigned)flags, .resolve = RESOLVE_CACHED | RESOLVE_NO_SYMLINKS};
    return (int)syscall(SYS_openat2, folder, name, &how, sizeof how);
#else
    errno = ENOSYS;
    return -1;
#endif
}

ssize_t easel_read_cached(int file, void *bytes, size_t count, off_t offset) {
#if defined(__linux__) && defined(RWF_NOWAIT)
    struct iovec buffer = {.iov_base = bytes, .iov_len = count};
    return preadv2(file, &buffer, 1, offset, RWF_NOWAIT);
#else
    errno = ENOSYS;
    return -1;
#endif
}
