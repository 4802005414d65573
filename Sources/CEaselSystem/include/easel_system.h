// System calls that differ between systems or cannot be imported into Swift.
#ifndef EASEL_SYSTEM_H
#define EASEL_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Starts a detached thread with a stack of 8 MiB and the given name of at most 15 bytes. It blocks all signals except
/// those of faults. Returns 0 or an errno value.
int easel_thread_start(const char *name, void (*body)(void *), void *context);

/// Returns the number of processors that the calling thread may use, at least 1: all online processors if the system
/// has no affinity.
int easel_processor_count(void);

/// Returns the bytes of the machine's memory, or 0 if they are unknown, for example because a filter refuses the call.
uint64_t easel_physical_memory(void);

/// Lowers the priority of the calling thread slightly below the main thread's, if the system permits it.
void easel_thread_lower_priority(void);

/// Calls `body` when the process exits, on the thread that ends it. Returns 0 on success.
int easel_at_exit(void (*body)(void));

/// Reads an extended attribute of an open file. Returns -1 with errno if there is none or it is longer than `capacity`.
ssize_t easel_attribute_get(int file, const char *name, void *bytes, size_t capacity);

/// Writes an extended attribute of an open file. Returns 0, or -1 with errno.
int easel_attribute_set(int file, const char *name, const void *bytes, size_t count);

/// Sets a file's access time and, with `is_modified`, its modification time. Returns 0, or -1 with errno.
int easel_touch_at(int folder, const char *name, long seconds, long nanoseconds, bool is_modified);

/// Sets an open file's modification time to now, without changing its access time. Returns 0, or -1 with errno.
int easel_set_modified_now(int file);

/// Opens a file directly in `folder` without following links and without waiting for a disk. Returns -1 with EAGAIN if
/// a disk is required, ENOENT if there is no such file, ENOSYS and others if the system does not support it.
int easel_open_cached(int folder, const char *name, int flags);

/// Reads like `pread` without waiting for a disk. Returns -1 with EAGAIN if a disk is required.
ssize_t easel_read_cached(int file, void *bytes, size_t count, off_t offset);

/// Sets `sum` to the CRC-32C of `bytes` by the processor's instruction, and returns 1. Returns 0 without one.
int easel_crc32c(const void *bytes, size_t count, uint32_t *sum);

/// Adds 64 bytes to the state of an MD5 digest (RFC 1321 3.4).
void easel_md5_update(uint32_t state[4], const void *block);

/// Opens a pipe that child processes do not inherit. Returns 0, or -1 with errno.
int easel_pipe_open(int *reading, int *writing);

/// Returns whether an interface other than loopback is up and has an address. Does not block.
bool easel_network_is_up(void);

#endif
