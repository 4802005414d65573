#define _GNU_SOURCE
#include "easel_system.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

int easel_pipe_open(int *reading, int *writing) {
    int ends[2];
#ifdef __linux__
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
#else
    if (pipe(ends) != 0) return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
#endif
    *reading = ends[0];
    *writing = ends[1];
    return 0;
}

int easel_changes_open(void) {
#ifdef __linux__
    return inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
#else
    errno = ENOSYS;
    return -1;
#endif
}

int easel_changes_add(int changes, const char *path) {
#ifdef __linux__
    return inotify_add_watch(changes, path, IN_MODIFY | IN_MOVED_TO) < 0 ? -1 : 0;
#else
    errno = ENOSYS;
    return -1;
#endif
}
