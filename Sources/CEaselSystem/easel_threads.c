#define _GNU_SOURCE
#include "easel_system.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <pthread/qos.h>
#endif

struct start {
    void (*body)(void *);
    void *context;
    char name[16];
};

// glibc's default. Those of musl, 128 KiB, and Darwin, 512 KiB, are too small for codecs. Only used pages take memory.
static const size_t stack_size = 8 << 20;

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
#ifdef __linux__
    pthread_setname_np(pthread_self(), start.name);
#else
    pthread_setname_np(start.name);
#endif
    start.body(start.context);
    return NULL;
}

int easel_thread_start(const char *name, void (*body)(void *), void *context) {
    struct start *start = calloc(1, sizeof *start);
    if (start == NULL) return ENOMEM;
    start->body = body;
    start->context = context;
    strncpy(start->name, name, sizeof start->name - 1);

    pthread_attr_t attributes;
    int failure = pthread_attr_init(&attributes);
    if (failure != 0) {
        free(start);
        return failure;
    }
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, stack_size);

    // Signals belong to the application's threads, but a fault must still reach the handler that prints the crash. The
    // new thread inherits the mask, so not even its first instruction can be interrupted.
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

void easel_thread_lower_priority(void) {
#ifdef __linux__
    // On Linux, nice values are per thread: 0 is the calling thread, and the process ID is the main thread
    // (setpriority(2)). The main thread is the reference, so that nested threads do not get ever lower priorities.
    const int steps = 2;
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, (id_t)getpid()) + steps);
#elif defined(__APPLE__)
    pthread_set_qos_class_self_np(QOS_CLASS_USER_INITIATED, 0);
#endif
}

int easel_at_exit(void (*body)(void)) { return atexit(body); }
