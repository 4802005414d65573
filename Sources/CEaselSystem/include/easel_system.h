// The few system calls whose C form differs between systems or cannot be imported into Swift.
#ifndef EASEL_SYSTEM_H
#define EASEL_SYSTEM_H

#include <stddef.h>
#include <sys/types.h>

/// Starts a detached thread that blocks all signals but those that a fault raises, is called `name` (at most 15 bytes) and, where threads have a
/// niceness of their own, runs `niceness` steps below the process. Returns 0 or an errno value.
int easel_thread_start(const char *name, int niceness, void (*body)(void *), void *context);

/// Reads an extended attribute of an open file; -1 with errno where there is none or it is longer than `capacity`.
ssize_t easel_attribute_get(int file, const char *name, void *bytes, size_t capacity);

/// Writes an extended attribute of an open file; -1 with errno where the file system has none.
int easel_attribute_set(int file, const char *name, const void *bytes, size_t count);

/// Renames within one folder, replacing what is there. Returns 0, or -1 with errno.
int easel_rename_at(int folder, const char *from, const char *to);

/// Sets a file's time of last access and leaves its time of modification. Returns 0, or -1 with errno.
int easel_touch_at(int folder, const char *name, long seconds, long nanoseconds);

/// Opens a pipe that no child process inherits. Returns 0, or -1 with errno.
int easel_pipe_open(int *reading, int *writing);

/// Opens a descriptor that has bytes to read, which mean nothing, after a change of the files that are added to it. Reading
/// does not block. -1 with errno where the system has no such thing.
int easel_changes_open(void);

/// Adds a file. Returns 0, or -1 with errno.
int easel_changes_add(int changes, const char *path);

#endif
