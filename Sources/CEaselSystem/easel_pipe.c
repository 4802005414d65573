#define _GNU_SOURCE
#include "easel_system.h"

#include <fcntl.h>
#include <unistd.h>

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
