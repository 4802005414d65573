#define _GNU_SOURCE
#include "faulty_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/auxv.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#endif

static int depth_of_stack(volatile char *above) {
    volatile char frame[4096];
    frame[0] = above ? above[0] : 0;
    return depth_of_stack(frame) + frame[0];
}

int faulty_call(const char *name) {
#ifdef __linux__
    long result = -1;
    errno = 0;
    if (strcmp(name, "overflow") == 0) {
        volatile char *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        page[0] = 1;
        result = 0;
    } else if (strcmp(name, "stack") == 0) {
        result = depth_of_stack(NULL);
    } else if (strcmp(name, "abort") == 0) {
        abort();
    } else if (strcmp(name, "allocate") == 0) {
        // Until there is none: written, so that it is really there.
        char *block;
        while ((block = malloc(1 << 20))) memset(block, 1, 1 << 20);
        return ENOMEM;
    } else if (strcmp(name, "open") == 0) {
        result = syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY, 0);
    } else if (strcmp(name, "socket") == 0) {
        result = socket(AF_INET, SOCK_STREAM, 0);
    } else if (strcmp(name, "fork") == 0) {
        result = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (result == 0) _exit(0);
    } else if (strcmp(name, "exec") == 0) {
        char *const arguments[] = {"/bin/true", NULL};
        result = execve("/bin/true", arguments, NULL);
    } else if (strcmp(name, "kill-parent") == 0) {
        result = syscall(SYS_kill, getppid(), SIGKILL);
    } else if (strcmp(name, "ptrace") == 0) {
        result = ptrace(PTRACE_ATTACH, getppid(), 0, 0);
    } else if (strcmp(name, "signal-other") == 0) {
        result = syscall(SYS_tgkill, 1, 1, 0);
    } else if (strcmp(name, "executable-memory") == 0) {
        result = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
    } else {
        return EINVAL;
    }
    return result < 0 ? errno : 0;
#else
    return ENOSYS;
#endif
}

void faulty_serve_other_version(void) {
#ifdef __linux__
    const char *path = (const char *)getauxval(AT_EXECFN);
    const char *name = path ? strrchr(path, '/') : NULL;
    if (name == NULL || strcmp(name, "/other-version-decoder") != 0) return;
    char request[256];
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {.iov_base = request, .iov_len = sizeof request};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    // Without a request the application has ended.
    while (recvmsg(3, &message, 0) > 0 && CMSG_FIRSTHDR(&message)) {
        int socket;
        memcpy(&socket, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof socket);
        // The message `ready` of version 99.
        const uint64_t ready[4] = {0, 99, 7, 1};
        send(socket, ready, sizeof ready, MSG_NOSIGNAL);
        close(socket);
        message.msg_controllen = sizeof control.bytes;
    }
    _exit(0);
#endif
}

bool faulty_has_no_children(void) {
    siginfo_t child;
    return waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD;
}
