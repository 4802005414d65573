#define _GNU_SOURCE
#include "easel_system.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#endif

struct start {
    void (*body)(void *);
    void *context;
    int niceness;
    char name[16];
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
#ifdef __linux__
    pthread_setname_np(pthread_self(), start.name);
    // On Linux a niceness belongs to a thread; libdispatch ignores quality of service there.
    if (start.niceness != 0) setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), start.niceness);
#else
    pthread_setname_np(start.name);
#endif
    start.body(start.context);
    return NULL;
}

int easel_thread_start(const char *name, int niceness, void (*body)(void *), void *context) {
    struct start *start = calloc(1, sizeof *start);
    if (start == NULL) return ENOMEM;
    start->body = body;
    start->context = context;
    start->niceness = niceness;
    strncpy(start->name, name, sizeof start->name - 1);

    pthread_attr_t attributes;
    int failure = pthread_attr_init(&attributes);
    if (failure != 0) {
        free(start);
        return failure;
    }
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);

    // Signals belong to the application's threads, but a fault must still reach the handler that prints the crash.
    // The new thread inherits the mask, so that not even its first instruction can be interrupted.
    sigset_t blocked, before;
    sigfillset(&blocked);
    const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&blocked, faults[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    pthread_t thread;
    failure = pthread_create(&thread, &attributes, run, start);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failure != 0) free(start);
    return failure;
}

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

int easel_rename_at(int folder, const char *from, const char *to) {
    return renameat(folder, from, folder, to);
}

int easel_touch_at(int folder, const char *name, long seconds, long nanoseconds) {
    struct timespec times[2] = {{.tv_sec = seconds, .tv_nsec = nanoseconds}, {.tv_nsec = UTIME_OMIT}};
    return utimensat(folder, name, times, AT_SYMLINK_NOFOLLOW);
}

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
    return inotify_add_watch(changes, path, IN_MODIFY) < 0 ? -1 : 0;
#else
    (void)changes, (void)path;
    errno = ENOSYS;
    return -1;
#endif
}
