// The few system calls whose C form differs between systems or cannot be imported into Swift.
#ifndef EASEL_SYSTEM_H
#define EASEL_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/// Starts a detached thread with a stack of 8 MiB that blocks all signals but those that a fault raises, and is called `name` (at most
/// 15 bytes). Returns 0 or an errno value.
int easel_thread_start(const char *name, void (*body)(void *), void *context);

/// The processors that the calling thread may run on, at least 1; where the system has no such masks, those that are on.
int easel_processor_count(void);

/// Lowers the priority of the calling thread a little below that of the main thread. Does nothing where the system refuses that.
void easel_thread_lower_priority(void);

/// Has `body` called when the process exits, on the thread that ends it. Returns 0, or not.
int easel_at_exit(void (*body)(void));

/// Reads an extended attribute of an open file; -1 with errno where there is none or it is longer than `capacity`.
ssize_t easel_attribute_get(int file, const char *name, void *bytes, size_t capacity);

/// Writes an extended attribute of an open file; -1 with errno where the file system has none.
int easel_attribute_set(int file, const char *name, const void *bytes, size_t count);

/// Makes a file in `folder` that has no name as yet and is gone when it is closed, open for writing; -1 with errno, where the system or
/// the file system has no such files too.
int easel_create_unnamed(int folder);

/// Gives such a file a name in `folder`. Returns 0, or -1 with errno: EEXIST where the name is taken, ENOSYS where the system cannot.
int easel_name_unnamed(int file, int folder, const char *name);

/// Renames within one folder, replacing what is there. Returns 0, or -1 with errno.
int easel_rename_at(int folder, const char *from, const char *to);

/// The same, but fails with EEXIST where the name is taken; with ENOSYS or EINVAL where the system cannot tell.
int easel_rename_new_at(int folder, const char *from, const char *to);

/// Sets a file's time of last access, and with `is_modified` its time of modification too. Returns 0, or -1 with errno.
int easel_touch_at(int folder, const char *name, long seconds, long nanoseconds, bool is_modified);

/// Sets an open file's time of modification to now and leaves its time of last access. Returns 0, or -1 with errno.
int easel_modified_now(int file);

/// Opens a file directly in `folder`, following no link, if no disk has to be asked for it: -1 with EAGAIN where one has, ENOENT where
/// it is known that there is none, ENOSYS and others where the system cannot tell.
int easel_open_cached(int folder, const char *name, int flags);

/// What the system tells of a file, if no disk has to be asked; else -1, and errno says why.
int easel_stat_cached(int folder, const char *name, struct stat *facts);

/// Reads at `offset` what is in memory already: as `pread`, but -1 with EAGAIN where the disk has to be asked.
ssize_t easel_read_cached(int file, void *bytes, size_t count, off_t offset);

/// Sets `sum` to the CRC-32C of `bytes`, by the processor's own instruction. Returns 0 and does nothing where it has none.
int easel_crc32c(const void *bytes, size_t count, uint32_t *sum);

/// Takes the next 64 bytes into the state of an MD5 digest (RFC 1321 3.4).
void easel_md5_absorb(uint32_t state[4], const void *block);

/// Opens a pipe that no child process inherits. Returns 0, or -1 with errno.
int easel_pipe_open(int *reading, int *writing);

/// Opens a descriptor that has bytes to read, which mean nothing, after a change of the files that are added to it. Reading
/// does not block. -1 with errno where the system has no such thing.
int easel_changes_open(void);

/// Adds a file. Returns 0, or -1 with errno.
int easel_changes_add(int changes, const char *path);

/// Has a descriptor of `easel_changes_open` tell the names that come into an open folder from now on. Returns the number of the
/// folder there, the same for each time that it is added; -1 with errno where not all of them can be told, as on a network's file
/// system or in an encrypted folder.
int easel_names_watch(int changes, int folder);

/// Has it tell no more of a folder.
void easel_names_unwatch(int changes, int watch);

/// Calls `tell` for each name that has come since the last call, and does not wait: a name is told from before the call that made it
/// returns. NULL for a name means that no more will come from this folder; with -1, that names of all folders were lost. Returns 0, or
/// -1 with errno where nobody can tell.
int easel_names_read(int changes, void (*tell)(void *context, int watch, const char *name), void *context);

/// Whether an interface other than the loopback one is up and has an address. Does not block.
bool easel_network_is_up(void);

#endif
