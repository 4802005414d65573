// Runs a command for which the kernel refuses some calls, as older kernels and filtered containers do:
//
//     refuse-calls ENOSYS CALL,CALL... COMMAND ARGUMENT...
//
// The error is a name from `errors`, or its number; the calls are names from `calls`. Child processes inherit the
// filter. Exits with 77 if there are no such filters.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USAGE = 2, UNAVAILABLE = 77 };

#ifdef __linux__
#include <endian.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/// A call that can be refused: always, or only if the bits of `mask` in an argument have a value.
struct call {
    const char *name;
    unsigned int number;
    int argument;
    unsigned int mask, value;
};

#define ALL(call) {.name = #call, .number = SYS_##call, .argument = -1}

static const struct call calls[] = {
    ALL(openat2),
    ALL(preadv2),
    ALL(utimensat),
    ALL(fstatfs),
    ALL(pipe2),
    ALL(madvise),
    ALL(prctl),
    ALL(sysinfo),
    ALL(getrandom),
    ALL(getpriority),
    ALL(setpriority),
    ALL(ioprio_get),
    ALL(ioprio_set),
    ALL(sched_getaffinity),
    ALL(fgetxattr),
    ALL(fsetxattr),
    ALL(getxattr),
    ALL(setxattr),
    ALL(lgetxattr),
    ALL(lsetxattr),
    ALL(flistxattr),
    ALL(listxattr),
    ALL(llistxattr),
    ALL(fremovexattr),
    ALL(inotify_init1),
    ALL(inotify_add_watch),
    ALL(clone),
    ALL(clone3),
    ALL(memfd_create),
    ALL(close_range),
    ALL(seccomp),
    ALL(socketpair),
    ALL(signalfd4),
    // The numbers are the same on all architectures. Older headers do not have them.
    {.name = "landlock_create_ruleset", .number = 444, .argument = -1},
    {.name = "landlock_restrict_self", .number = 446, .argument = -1},
    // Filters by the older call.
    {"filters", SYS_prctl, 0, ~0u, PR_SET_SECCOMP},
    // Triggers of pressure stall information. Nothing else is opened with these flags.
    {"stalls", SYS_openat, 2, ~0u, O_RDWR | O_NONBLOCK | O_CLOEXEC},
    {"netlink", SYS_socket, 0, ~0u, AF_NETLINK},
};

static const struct {
    const char *name;
    unsigned int number;
} errors[] = {{"ENOSYS", ENOSYS}, {"EPERM", EPERM}, {"ENOTSUP", ENOTSUP}, {"EACCES", EACCES}, {"EAGAIN", EAGAIN}};

/// The instructions of the filter.
static struct sock_filter filter[BPF_MAXINSNS];
static unsigned short length;

static void add(unsigned short code, unsigned char if_true, unsigned char if_false, unsigned int value) {
    if (length < BPF_MAXINSNS) filter[length++] = (struct sock_filter){code, if_true, if_false, value};
}

static void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, 0, 0, (unsigned int)offset); }

static void refuse(const struct call *call, unsigned int error) {
    load(offsetof(struct seccomp_data, nr));
    if (call->argument < 0) {
        add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, call->number);
    } else {
        // The lower half: the compared values have no more bits.
        const size_t half = __BYTE_ORDER == __LITTLE_ENDIAN ? 0 : 4;
        add(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, call->number);
        load(offsetof(struct seccomp_data, args) + 8 * (size_t)call->argument + half);
        add(BPF_ALU | BPF_AND | BPF_K, 0, 0, call->mask);
        add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, call->value);
    }
    add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | error);
}

static int refuse_by_name(const char *name, unsigned int error) {
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (strcmp(calls[i].name, name) != 0) continue;
        refuse(&calls[i], error);
        return 0;
    }
    fprintf(stderr, "refuse-calls: there is no call %s\n", name);
    return -1;
}

static unsigned int error_number(const char *name) {
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (strcmp(errors[i].name, name) == 0) return errors[i].number;
    return (unsigned int)atoi(name);
}

static int install(const char *error, char *names) {
#ifdef ARCHITECTURE
    load(offsetof(struct seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCHITECTURE);
    add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
    for (char *name = strtok(names, ","); name != NULL; name = strtok(NULL, ","))
        if (refuse_by_name(name, error_number(error)) != 0) return USAGE;
    add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {.len = length, .filter = filter};
    // Without this, only the superuser may install a filter.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0) return 0;
    perror("refuse-calls");
#endif
    return UNAVAILABLE;
}
#else
static int install(const char *error, char *names) {
    (void)error, (void)names;
    return UNAVAILABLE;
}
#endif

int main(int count, char **arguments) {
    if (count < 4) {
        fputs("usage: refuse-calls ERROR CALL,CALL... COMMAND ARGUMENT...\n", stderr);
        return USAGE;
    }
    const int failure = install(arguments[1], arguments[2]);
    if (failure != 0) return failure;
    execv(arguments[3], arguments + 3);
    perror(arguments[3]);
    return UNAVAILABLE;
}
