#define _GNU_SOURCE
#include "easel_sandbox.h"

// Unused without the package trait Sandbox, when libseccomp may be missing.
#if defined(__linux__) && __has_include(<seccomp.h>)
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// Sanitizers need more memory and system calls than a decoder is allowed.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

struct easel_sandbox_filter {
    unsigned short count;
    struct sock_filter instructions[];
};

enum {
    // A placeholder for the worker's process number in a compiled filter. Larger than any process number.
    OWN_PROCESS = 0x7ea5e100,
    // The flags that pthread_create of glibc and musl passes to clone.
    THREAD_FLAGS = 0x3d0f00,
    MUSL_THREAD_FLAGS = 0x7d0f00,
};

// Calls for memory, threads and messages, which decoders and Swift without concurrency need.
static const int allowed[] = {
    SCMP_SYS(recvmsg), SCMP_SYS(sendmsg), SCMP_SYS(close), SCMP_SYS(munmap), SCMP_SYS(brk), SCMP_SYS(mremap),
    SCMP_SYS(madvise), SCMP_SYS(futex), SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(clock_gettime),
    SCMP_SYS(getrandom), SCMP_SYS(gettid), SCMP_SYS(getpid), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigaction), SCMP_SYS(sigaltstack), SCMP_SYS(sysinfo), SCMP_SYS(set_robust_list), SCMP_SYS(rseq),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_yield),
};

// Calls that fail with ENOENT, so that libraries continue as if the files were missing.
static const int missing[] = {
    SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink),
    SCMP_SYS(readlinkat), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(statx), SCMP_SYS(newfstatat), SCMP_SYS(getdents64),
    SCMP_SYS(statfs), SCMP_SYS(fstatfs),
};

// Calls that fail with EBADF: libraries write messages to standard error.
static const int discarded[] = {SCMP_SYS(write), SCMP_SYS(writev)};

// Calls for reading fonts. Landlock decides which files can be opened.
static const int reading[] = {
    SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat),
    SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(statx), SCMP_SYS(newfstatat), SCMP_SYS(getdents64), SCMP_SYS(statfs),
    SCMP_SYS(fstatfs), SCMP_SYS(fstat), SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(lseek), SCMP_SYS(fadvise64),
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

// Adds a rule for a call. Calls that the architecture does not have are ignored.
static int add(scmp_filter_ctx filter, uint32_t action, int call) {
    int failure = seccomp_rule_add(filter, action, call, 0);
    return failure == -EDOM || failure == -EOPNOTSUPP ? 0 : failure;
}

static int add_masked(scmp_filter_ctx filter, uint32_t action, int call, unsigned int argument, uint64_t mask, uint64_t value) {
    struct scmp_arg_cmp rule = {.arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value};
    int failure = seccomp_rule_add_array(filter, action, call, 1, &rule);
    return failure == -EDOM || failure == -EOPNOTSUPP ? 0 : failure;
}

static int add_rules(scmp_filter_ctx filter, bool reads_fonts) {
    int failure = 0;
    for (size_t i = 0; i < COUNT(allowed) && !failure; i++) failure = add(filter, SCMP_ACT_ALLOW, allowed[i]);
    for (size_t i = 0; i < COUNT(discarded) && !failure; i++) failure = add(filter, SCMP_ACT_ERRNO(EBADF), discarded[i]);
    const int *files = reads_fonts ? reading : missing;
    size_t count = reads_fonts ? COUNT(reading) : COUNT(missing);
    uint32_t action = reads_fonts ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(ENOENT);
    for (size_t i = 0; i < count && !failure; i++) failure = add(filter, action, files[i]);
    if (failure) return failure;
    // Memory must not be executable.
    if ((failure = add_masked(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2, PROT_EXEC, 0))) return failure;
    if ((failure = add_masked(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 2, PROT_EXEC, 0))) return failure;
    // Threads are allowed, processes are not. A filter cannot read the flags of clone3, which are in memory; with
    // ENOSYS, glibc uses clone instead.
    uint64_t all = ~0ull;
    if ((failure = add_masked(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 0, all, THREAD_FLAGS))) return failure;
    if ((failure = add_masked(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 0, all, MUSL_THREAD_FLAGS))) return failure;
    if ((failure = add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3)))) return failure;
    if ((failure = add_masked(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 0, all, PR_SET_NAME))) return failure;
    if ((failure = add_masked(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 0, all, PR_SET_VMA))) return failure;
    // abort() signals itself.
    if ((failure = add_masked(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 0, all, OWN_PROCESS))) return failure;
    if (!reads_fonts) return 0;
    uint64_t access = O_ACCMODE | O_CREAT | O_TRUNC;
    if ((failure = add_masked(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 2, access, O_RDONLY))) return failure;
    if ((failure = add_masked(filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 1, access, O_RDONLY))) return failure;
    const int queries[] = {F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC};
    for (size_t i = 0; i < COUNT(queries) && !failure; i++)
        failure = add_masked(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1, all, (uint64_t)queries[i]);
    // fontconfig continues if it cannot write its cache.
    const int writing[] = {SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(rename), SCMP_SYS(mkdir), SCMP_SYS(link),
                           SCMP_SYS(chmod), SCMP_SYS(utimensat)};
    for (size_t i = 0; i < COUNT(writing) && !failure; i++)
        failure = add(filter, SCMP_ACT_ERRNO(EACCES), writing[i]);
    return failure;
}

static easel_sandbox_filter *read_program(int file) {
    struct sock_filter instruction;
    off_t size = lseek(file, 0, SEEK_END);
    size_t count = (size_t)size / sizeof instruction;
    if (size <= 0 || count > BPF_MAXINSNS) return NULL;
    easel_sandbox_filter *filter = malloc(sizeof *filter + (size_t)size);
    if (filter == NULL) return NULL;
    filter->count = (unsigned short)count;
    if (pread(file, filter->instructions, (size_t)size, 0) != size) {
        free(filter);
        return NULL;
    }
    return filter;
}

easel_sandbox_filter *easel_sandbox_filter_make(bool reads_fonts) {
    // libseccomp does not offer to kill the process if the system refuses the call seccomp(), although prctl() can. The
    // action is therefore replaced below.
    scmp_filter_ctx rules = seccomp_init(SCMP_ACT_KILL_THREAD);
    if (rules == NULL) return NULL;
    easel_sandbox_filter *filter = NULL;
    int file = memfd_create("filter", MFD_CLOEXEC);
    int failure = file < 0 ? -errno : add_rules(rules, reads_fonts);
    if (failure == 0) failure = seccomp_export_bpf(rules, file);
    if (failure == 0) filter = read_program(file);
    else errno = -failure;
    if (file >= 0) close(file);
    seccomp_release(rules);
    if (filter == NULL) return NULL;
    for (unsigned short i = 0; i < filter->count; i++) {
        struct sock_filter *instruction = &filter->instructions[i];
        if (instruction->code == (BPF_RET | BPF_K) && instruction->k == SECCOMP_RET_KILL_THREAD)
            instruction->k = SECCOMP_RET_KILL_PROCESS;
    }
    return filter;
}

static bool limit(int resource, rlim_t value) {
    struct rlimit current;
    if (getrlimit(resource, &current) != 0) return false;
    if (current.rlim_max != RLIM_INFINITY && current.rlim_max < value) value = current.rlim_max;
    struct rlimit limit = {.rlim_cur = value, .rlim_max = value};
    return setrlimit(resource, &limit) == 0;
}

static bool install(easel_sandbox_filter *filter) {
    for (unsigned short i = 0; i < filter->count; i++) {
        struct sock_filter *instruction = &filter->instructions[i];
        if (instruction->code == (BPF_JMP | BPF_JEQ | BPF_K) && instruction->k == OWN_PROCESS)
            instruction->k = (uint32_t)getpid();
    }
    struct sock_fprog program = {.len = filter->count, .filter = filter->instructions};
#ifdef SECCOMP_FILTER_FLAG_SPEC_ALLOW
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0) return true;
#endif
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

int easel_sandbox_enter(easel_sandbox_filter *filter, int ruleset, size_t memory_limit, unsigned int cpu_seconds) {
    int in_force = 0;
    if (IS_SANITIZED) {
        filter = NULL;
        memory_limit = RLIM_INFINITY;
    }
    bool limited = limit(RLIMIT_CORE, 0) && limit(RLIMIT_CPU, cpu_seconds) && limit(RLIMIT_DATA, memory_limit) &&
        limit(RLIMIT_NOFILE, 256) && prctl(PR_SET_DUMPABLE, 0) == 0;
    if (limited) in_force |= EASEL_SANDBOX_LIMITS;
    bool is_final = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    if (is_final && ruleset >= 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0)
        in_force |= EASEL_SANDBOX_LANDLOCK;
    if (ruleset >= 0) close(ruleset);
    if (is_final && filter && install(filter)) in_force |= EASEL_SANDBOX_SECCOMP;
    return in_force;
}
#endif
