#define _GNU_SOURCE
#include "easel_system.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

struct start {
    void (*body)(void *);
    void *context;
    char name[16];
};

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

#ifdef __linux__

// On Linux a niceness belongs to a thread; libdispatch ignores quality of service there.
int easel_thread_id(void) { return (int)syscall(SYS_gettid); }

void easel_thread_set_niceness(int thread, int niceness) {
    // The first thread's is the process's.
    setpriority(PRIO_PROCESS, (id_t)thread, getpriority(PRIO_PROCESS, (id_t)getpid()) + niceness);
}

// As the kernel has it; glibc 2.41 is the first with a declaration.
struct scheduling {
    uint32_t size, policy;
    uint64_t flags;
    int32_t niceness;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

static const uint64_t reset_on_fork = 1;

static bool get_scheduling(struct scheduling *scheduling) {
    // Of threads with deadlines the same field means something else.
    return syscall(SYS_sched_getattr, 0, scheduling, sizeof *scheduling, 0) == 0 && scheduling->policy == SCHED_OTHER;
}

uint64_t easel_thread_slice(void) {
    struct scheduling scheduling = {0};
    return get_scheduling(&scheduling) ? scheduling.runtime : 0;
}

void easel_thread_set_slice(uint64_t slice) {
    struct scheduling scheduling = {0};
    if (!get_scheduling(&scheduling)) return;
    scheduling.size = sizeof scheduling;
    scheduling.flags |= reset_on_fork;
    scheduling.runtime = slice;
    syscall(SYS_sched_setattr, 0, &scheduling, 0);
}

#else

int easel_thread_id(void) { return 0; }
void easel_thread_set_niceness(int thread, int niceness) {}
uint64_t easel_thread_slice(void) { return 0; }
void easel_thread_set_slice(uint64_t slice) {}

#endif

int easel_at_exit(void (*body)(void)) {
    return atexit(body);
}
