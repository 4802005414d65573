#define _GNU_SOURCE
#include "easel_sandbox.h"

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { MAX_FILES = 4 };

union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int) * MAX_FILES)];
};

int easel_sandbox_sockets(int *first, int *second) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return -1;
    *first = pair[0];
    *second = pair[1];
    return 0;
}

int easel_sandbox_send(int socket, const void *bytes, size_t count, const int *files, int file_count, bool waits) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union control control;
    if (file_count < 0 || file_count > MAX_FILES) {
        errno = EINVAL;
        return -1;
    }
    if (file_count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)file_count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)file_count);
        memcpy(CMSG_DATA(header), files, sizeof(int) * (size_t)file_count);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT));
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -1 : 0;
}

ssize_t easel_sandbox_receive(
    int socket, void *bytes, size_t count, int *files, int file_capacity, int *file_count, bool waits) {
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    union control control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    // Without a control buffer, the kernel discards any descriptors that are sent.
    if (file_capacity > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
    }
    ssize_t received;
    do {
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (waits ? 0 : MSG_DONTWAIT));
    } while (received < 0 && errno == EINTR);
    int found = 0;
    if (received >= 0 && file_capacity > 0) {
        for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
            if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
            size_t received_count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
            for (size_t i = 0; i < received_count; i++) {
                int file;
                memcpy(&file, CMSG_DATA(header) + i * sizeof file, sizeof file);
                if (found < file_capacity) files[found++] = file;
                else close(file);
            }
        }
    }
    if (file_count) *file_count = found;
    if (received >= 0 && message.msg_flags & MSG_TRUNC) {
        for (int i = 0; i < found; i++) close(files[i]);
        if (file_count) *file_count = 0;
        errno = EMSGSIZE;
        return -1;
    }
    return received;
}

int easel_sandbox_wait(int socket, int milliseconds) {
    struct pollfd file = {.fd = socket, .events = POLLIN};
    int ready = poll(&file, 1, milliseconds);
    return ready < 0 && errno == EINTR ? 0 : ready;
}

bool easel_sandbox_is_closed(int socket) {
    struct pollfd file = {.fd = socket};
    return poll(&file, 1, 0) > 0 && (file.revents & POLLHUP) != 0;
}

int easel_sandbox_set_timeout(int socket, int seconds) {
    struct timeval time = {.tv_sec = seconds};
    return setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
}

int easel_sandbox_memory(size_t count) {
    int memory = memfd_create("easel", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0) return -1;
    if (ftruncate(memory, (off_t)count) == 0 && fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0)
        return memory;
    int failure = errno;
    close(memory);
    errno = failure;
    return -1;
}

int easel_sandbox_seal(int memory) { return fcntl(memory, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SEAL); }

void *easel_sandbox_map(int memory, size_t count, bool writable) {
    void *start = mmap(NULL, count, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, memory, 0);
    return start == MAP_FAILED ? NULL : start;
}
#endif
