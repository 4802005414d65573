// The few system calls whose C form differs between systems or cannot be imported into Swift.
#ifndef EASEL_SYSTEM_H
#define EASEL_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Starts a detached thread with a stack of 8 MiB that blocks all signals but those that a fault raises, and is called `name` (at most
/// 15 bytes). Returns 0 or an errno value.
int easel_thread_start(const char *name, void (*body)(void *), void *context);

/// The number of processors that the calling thread may run on, at least 1; of those that are online if the system has no affinity.
int easel_processor_count(void);

/// Lowers the priority of the calling thread a little below that of the main thread. Does nothing if the system refuses that.
void easel_thread_lower_priority(void);

/// Calls `body` when the process exits, on the thread that ends it. Returns 0 on success.
int easel_at_exit(void (*body)(void));

/// Reads an extended attribute of an open file. Returns -1 with errno if there is none or it is longer than `capacity`.
ssize_t easel_attribute_get(int file, const char *name, void *bytes, size_t capacity);

/// Writes an extended attribute of an open file. Returns 0, or -1 with errno.
int easel_attribute_set(int file, const char *name, const void *bytes, size_t count);

/// Sets a file's time of last access, and with `is_modified` its time of modification too. Returns 0, or -1 with errno.
int easel_touch_at(int folder, const char *name, long seconds, long nanoseconds, bool is_modified);

/// Sets an open file's time of modification to now and leaves its time of last access. Returns 0, or -1 with errno.
int easel_modified_now(int file);

/// Opens a file directly in `folder` without following links and without waiting for a disk. Returns -1 with EAGAIN if that needs a
/// disk, ENOENT if there is no such file, ENOSYS and others if the system does not support it.
int easel_open_cached(int folder, const char *name, int flags);

/// Reads like `pread` without waiting for a disk: returns -1 with EAGAIN if that needs a disk.
ssize_t easel_read_cached(int file, void *bytes, size_t count, off_t offset);

/// Sets `sum` to the CRC-32C of `bytes` by the processor's instruction. Returns 0 and does nothing if it has none.
int easel_crc32c(const void *bytes, size_t count, uint32_t *sum);

/// Takes the next 64 bytes into the state of an MD5 digest (RFC 1321 3.4).
void easel_md5_absorb(uint32_t state[4], const void *block);

/// Opens a pipe that no child process inherits. Returns 0, or -1 with errno.
int easel_pipe_open(int *reading, int *writing);

/// Opens a descriptor that has bytes to read, without meaning, after a change of the files that are added to it. Reading does not block.
/// Returns -1 with errno if the system does not support it.
int easel_changes_open(void);

/// Adds a file, or a folder for the bytes and names of its files. Returns 0, or -1 with errno.
int easel_changes_add(int changes, const char *path);

/// Whether an interface other than the loopback one is up and has an address. Does not block.
bool easel_network_is_up(void);

#endif
