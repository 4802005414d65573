#define _GNU_SOURCE
#include "benchmark.h"

#ifdef __linux__
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

void benchmark_spread_folders(const char *path) {
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    int flags;
    if (ioctl(folder, FS_IOC_GETFLAGS, &flags) == 0) {
        flags |= FS_TOPDIR_FL;
        ioctl(folder, FS_IOC_SETFLAGS, &flags);
    }
    close(folder);
}
#else
void benchmark_spread_folders(const char *path) { (void)path; }
#endif
