#define _GNU_SOURCE
#include "easel_sandbox.h"

#ifdef __linux__
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SOCKET = 3, RULESET = 4 };

// Opens a file for the standard descriptors of the workers: /dev/null, or empty memory that cannot be written if /dev
// is missing, as in some chroots.
static int open_null(void) {
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null >= 0) return null;
    null = memfd_create("null", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (null >= 0) fcntl(null, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK);
    return null;
}

int easel_sandbox_spawn(const char *path, char *const environment[], int socket, pid_t *process) {
    // dup2 to the same number would keep the flag that closes the socket on exec, so the number must differ.
    int moved = fcntl(socket, F_DUPFD_CLOEXEC, 10);
    if (moved < 0) return errno;
    int opened = open_null();
    // Numbers from 10 on, as dup2 to 0 or 1 must not overwrite it.
    int null = opened < 0 ? -1 : fcntl(opened, F_DUPFD_CLOEXEC, 10);
    int null_failure = errno;
    if (opened >= 0) close(opened);
    if (null < 0) {
        close(moved);
        return null_failure;
    }
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure == 0 && (failure = posix_spawnattr_init(&attributes)) != 0) posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) {
        close(moved);
        close(null);
        return failure;
    }
    for (int file = 0; file < 3 && failure == 0; file++)
        failure = posix_spawn_file_actions_adddup2(&actions, null, file);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, moved, SOCKET);
    // Decoding threads block signals, and a child would inherit that. The new session keeps Ctrl-C from the workers.
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    char *const arguments[] = {"easel-decoder", NULL};
    if (failure == 0) failure = posix_spawn(process, path, &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(moved);
    close(null);
    return failure;
}

bool easel_sandbox_reap(pid_t process) {
    pid_t ended;
    do ended = waitpid(process, NULL, WNOHANG);
    while (ended < 0 && errno == EINTR);
    // An error means that the application has already reaped the child.
    return ended != 0;
}

bool easel_sandbox_program(char *path, size_t capacity) {
    if (capacity == 0) return false;
    ssize_t count = readlink("/proc/self/exe", path, capacity - 1);
    if (count > 0) {
        path[count] = 0;
        return true;
    }
    const char *started = (const char *)getauxval(AT_EXECFN);
    if (started == NULL || strlen(started) >= capacity) return false;
    strcpy(path, started);
    return true;
}

pid_t easel_sandbox_fork(void) { return fork(); }

int easel_sandbox_thread_count(void) {
    DIR *threads = opendir("/proc/self/task");
    if (threads == NULL) return 1;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(threads));) count += entry->d_name[0] != '.';
    closedir(threads);
    return count;
}

int easel_sandbox_watch_children(void) {
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    if (sigprocmask(SIG_BLOCK, &ended, NULL) != 0) return -1;
    return signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK);
}

// Closes every descriptor from `first` on.
static int close_from(unsigned int first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, ~0u, 0) == 0) return 0;
#endif
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    // An unlimited number of descriptors would take too long.
    rlim_t last = limit.rlim_cur < 65536 ? limit.rlim_cur : 65536;
    for (rlim_t file = first; file < last; file++) close((int)file);
    return 0;
}

int easel_sandbox_close_inherited(void) { return close_from(SOCKET + 1); }

int easel_sandbox_prepare(int socket, int ruleset, pid_t parent) {
    // Both are duplicated to high numbers first, as either may occupy the final number of the other.
    int spare_socket = fcntl(socket, F_DUPFD, 10);
    int spare_ruleset = ruleset < 0 ? -1 : fcntl(ruleset, F_DUPFD, 10);
    if (spare_socket < 0 || (ruleset >= 0 && spare_ruleset < 0)) return -1;
    if (dup2(spare_socket, SOCKET) < 0) return -1;
    if (spare_ruleset >= 0) {
        if (dup2(spare_ruleset, RULESET) < 0) return -1;
    } else {
        close(RULESET);
    }
    if (close_from(RULESET + 1) != 0) return -1;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return -1;
    // The parent may have ended before the prctl call.
    return getppid() == parent ? 0 : -1;
}

void easel_sandbox_warm(void) {
    tzset();
    time_t now = 0;
    struct tm fields;
    gmtime_r(&now, &fields);
    localtime_r(&now, &fields);
}

void easel_sandbox_keep_character_set(const char *name) {
    // Never closed: the C library unloads a character set without descriptors.
    (void)iconv_open("UTF-8", name);
}

struct call {
    void (*function)(void *);
    void *argument;
};

static void *run(void *started) {
    struct call *call = started;
    call->function(call->argument);
    return NULL;
}

void easel_sandbox_run_in_thread(void (*function)(void *), void *argument) {
    struct call call = {function, argument};
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, &call) == 0) pthread_join(thread, NULL);
    else function(argument);
}

void easel_sandbox_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void easel_sandbox_limit_heap(void) {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 2);
    // Files and pixels. By default the threshold grows with the first large block that is freed, up to 32 MB.
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
#endif
}
#endif
