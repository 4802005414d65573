#define _GNU_SOURCE
#include "easel_sandbox.h"

#ifdef __linux__
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Missing in older headers. The numbers are the same on all architectures.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#endif

// Same as in linux/landlock.h, which older systems do not have. Older kernels accept only the first fields.
struct ruleset {
    uint64_t files, network, scopes;
};
struct path_rule {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

enum {
    VERSION_FLAG = 1,
    PATH_RULE = 1,
    READ_FILE = 1 << 2,
    READ_FOLDER = 1 << 3,
};

int easel_sandbox_landlock_version(void) {
    // Cached, because a restricted worker cannot make this call.
    static long version = -2;
    if (version == -2) version = syscall(SYS_landlock_create_ruleset, NULL, 0, VERSION_FLAG);
    return version < 0 ? 0 : (int)version;
}

static void allow(int ruleset, const char *path) {
    int folder = open(path, O_PATH | O_CLOEXEC);
    if (folder < 0) return;
    struct path_rule rule = {.allowed = READ_FILE | READ_FOLDER, .folder = folder};
    // The right to list applies only to folders. Without it the rule is valid for a file.
    if (syscall(SYS_landlock_add_rule, ruleset, PATH_RULE, &rule, 0) != 0) {
        rule.allowed = READ_FILE;
        syscall(SYS_landlock_add_rule, ruleset, PATH_RULE, &rule, 0);
    }
    close(folder);
}

// Allows reading the paths that a function of fontconfig lists. librsvg loads fontconfig; the functions are looked up
// by name, so that its headers need not be installed.
static bool allow_list(int ruleset, const char *function) {
    void *(*list)(void *) = (void *(*)(void *))dlsym(RTLD_DEFAULT, function);
    const unsigned char *(*next)(void *) = (const unsigned char *(*)(void *))dlsym(RTLD_DEFAULT, "FcStrListNext");
    void (*done)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "FcStrListDone");
    if (!list || !next || !done) return false;
    void *paths = list(NULL);
    if (!paths) return false;
    for (const unsigned char *path; (path = next(paths));) allow(ruleset, (const char *)path);
    done(paths);
    return true;
}

int easel_sandbox_ruleset(bool reads_fonts) {
    int version = easel_sandbox_landlock_version();
    if (version < 1) return -1;
    int file_rights = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
    struct ruleset all = {
        .files = (1ull << file_rights) - 1, .network = version >= 4 ? 3 : 0, .scopes = version >= 6 ? 3 : 0};
    size_t size = version >= 6 ? sizeof all : version >= 4 ? 16 : 8;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
    if (ruleset < 0 || !reads_fonts) return ruleset;
    bool found = allow_list(ruleset, "FcConfigGetFontDirs");
    allow_list(ruleset, "FcConfigGetCacheDirs");
    allow_list(ruleset, "FcConfigGetConfigFiles");
    if (!found) allow(ruleset, "/usr/share/fonts");
    allow(ruleset, "/etc/fonts");
    allow(ruleset, "/usr/share/fontconfig");
    return ruleset;
}
#endif
