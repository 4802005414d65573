#define _GNU_SOURCE
#include "easel_system.h"

#include <errno.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>

/// Whether no name comes into a folder but by a call that this kernel tells of. On a file system that others may change behind
/// its back, over a network say, they do; and in an encrypted folder all come at once, with its key.
static bool is_told_all(int folder) {
    int flags = 0;
    if (ioctl(folder, FS_IOC_GETFLAGS, &flags) == 0 && (flags & FS_ENCRYPT_FL) != 0) return false;
    struct statfs facts;
    if (fstatfs(folder, &facts) != 0) return false;
    switch ((unsigned long)facts.f_type) {
    case EXT4_SUPER_MAGIC:
    case XFS_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case F2FS_SUPER_MAGIC:
    case TMPFS_MAGIC:
    case OVERLAYFS_SUPER_MAGIC:
        return true;
    default:
        return false;
    }
}
#endif

int easel_names_watch(int changes, int folder) {
#ifdef __linux__
    if (!is_told_all(folder)) {
        errno = ENOTSUP;
        return -1;
    }
    // The very folder that is open, wherever its path leads by now.
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", folder);
    return inotify_add_watch(changes, path, IN_CREATE | IN_MOVED_TO | IN_ONLYDIR);
#else
    (void)changes, (void)folder;
    errno = ENOSYS;
    return -1;
#endif
}

void easel_names_unwatch(int changes, int watch) {
#ifdef __linux__
    inotify_rm_watch(changes, watch);
#else
    (void)changes, (void)watch;
#endif
}

int easel_names_read(int changes, void (*tell)(void *context, int watch, const char *name), void *context) {
#ifdef __linux__
    alignas(struct inotify_event) char buffer[4096];
    for (;;) {
        ssize_t count = read(changes, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count < 0 && errno == EAGAIN ? 0 : -1;
        for (ssize_t at = 0; at < count;) {
            const struct inotify_event *event = (const struct inotify_event *)(buffer + at);
            bool is_name = event->len > 0 && (event->mask & (IN_CREATE | IN_MOVED_TO)) != 0;
            tell(context, event->wd, is_name ? event->name : NULL);
            at += (ssize_t)(sizeof *event + event->len);
        }
    }
#else
    (void)changes, (void)tell, (void)context;
    errno = ENOSYS;
    return -1;
#endif
}
