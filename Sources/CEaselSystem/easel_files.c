#define _GNU_SOURCE
#include "easel_system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <sys/uio.h>
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

int easel_create_unnamed(int folder) {
#ifdef O_TMPFILE
    return openat(folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
#else
    errno = ENOSYS;
    return -1;
#endif
}

int easel_name_unnamed(int file, int folder, const char *name) {
#ifdef O_TMPFILE
    // By its descriptor alone since Linux 6.10; before, only the superuser may, and ENOENT does not tell that from a folder
    // that was removed.
    static atomic_bool needs_path;
    if (!needs_path) {
        if (linkat(file, "", folder, name, AT_EMPTY_PATH) == 0) return 0;
        if (errno != ENOENT) return -1;
    }
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW) == 0) {
        needs_path = true;
        return 0;
    }
    if (errno == ENOENT) errno = access(path, F_OK) == 0 ? ENOENT : ENOSYS;
    return -1;
#else
    errno = ENOSYS;
    return -1;
#endif
}

int easel_rename_at(int folder, const char *from, const char *to) {
    return renameat(folder, from, folder, to);
}

int easel_rename_new_at(int folder, const char *from, const char *to) {
#ifdef __APPLE__
    return renameatx_np(folder, from, folder, to, RENAME_EXCL);
#elif defined(SYS_renameat2)
    // By number: the C library of some systems has no function for it. 1 is RENAME_NOREPLACE.
    return (int)syscall(SYS_renameat2, folder, from, folder, to, 1u);
#else
    errno = ENOSYS;
    return -1;
#endif
}

int easel_touch_at(int folder, const char *name, long seconds, long nanoseconds, bool is_modified) {
    struct timespec time = {.tv_sec = seconds, .tv_nsec = nanoseconds};
    struct timespec times[2] = {time, is_modified ? time : (struct timespec){.tv_nsec = UTIME_OMIT}};
    return utimensat(folder, name, times, AT_SYMLINK_NOFOLLOW);
}

int easel_modified_now(int file) {
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

int easel_stat_cached(int folder, const char *name, struct stat *facts) {
#ifdef O_PATH
    // The plain call would wait for a name that the system has forgotten. Nothing is opened by O_PATH, which makes this the
    // cheapest way that does not.
    int file = easel_open_cached(folder, name, O_PATH | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) { return -1; }
    int result = fstat(file, facts);
    close(file);
    return result;
#else
    errno = ENOSYS;
    return -1;
#endif
}

ssize_t easel_read_cached(int file, void *bytes, size_t count, off_t offset) {
#if defined(__linux__) && defined(RWF_NOWAIT)
    struct iovec place = {.iov_base = bytes, .iov_len = count};
    return preadv2(file, &place, 1, offset, RWF_NOWAIT);
#else
    errno = ENOSYS;
    return -1;
#endif
}
