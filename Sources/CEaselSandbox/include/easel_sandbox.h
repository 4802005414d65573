// Support for worker processes on Linux: sockets that transfer descriptors, sealed memory, and restrictions by seccomp,
// landlock and resource limits.
#ifndef EASEL_SANDBOX_H
#define EASEL_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// MARK: Messages

/// Creates a pair of connected sockets that preserve message boundaries. Returns 0, or -1 with errno.
int easel_sandbox_sockets(int *first, int *second);

/// Sends one message with up to four descriptors. Returns 0, or -1 with errno.
int easel_sandbox_send(int socket, const void *bytes, size_t count, const int *files, int file_count, bool waits);

/// Receives one message. Descriptors beyond `file_capacity` are closed. Returns the length, 0 at the end of the
/// connection, or -1 with errno. A message that is too long fails with EMSGSIZE.
ssize_t easel_sandbox_receive(
    int socket, void *bytes, size_t count, int *files, int file_capacity, int *file_count, bool waits);

/// Waits until a socket is readable or closed. Returns 1, or 0 after the time, or -1 with errno.
int easel_sandbox_wait(int socket, int milliseconds);

/// Returns whether the other side of a connection is closed. Distinguishes the end from an empty message.
bool easel_sandbox_is_closed(int socket);

// MARK: Memory

/// Creates anonymous shared memory of a fixed size. Returns a descriptor, or -1 with errno.
int easel_sandbox_memory(size_t count);

/// Makes memory permanently read-only. Fails if it is mapped for writing. Returns 0, or -1 with errno.
int easel_sandbox_seal(int memory);

/// Maps memory. Returns NULL if that fails.
void *easel_sandbox_map(int memory, size_t count, bool writable);

// MARK: Processes

/// Starts a program in a new session. It inherits the socket as descriptor 3. Returns 0 or an errno value.
int easel_sandbox_spawn(const char *path, char *const environment[], int socket, pid_t *process);

/// Closes all descriptors except the standard ones and the socket. Returns 0, or -1 with errno.
int easel_sandbox_close_inherited(void);

/// Reaps a child without waiting. Returns whether it has ended.
bool easel_sandbox_reap(pid_t process);

/// Copies the path of this program, also without /proc. Returns false if it is unknown.
bool easel_sandbox_program(char *path, size_t capacity);

/// Calls fork. Only for a process with one thread.
pid_t easel_sandbox_fork(void);

/// Returns the number of threads of this process, or 1 if that is unknown.
int easel_sandbox_thread_count(void);

/// Opens a descriptor that becomes readable when a child ends. Returns it, or -1 with errno.
int easel_sandbox_watch_children(void);

// MARK: Restrictions

/// Returns the landlock version of the kernel, or 0. The first call queries the kernel; later ones return the same.
int easel_sandbox_landlock_version(void);

/// A compiled filter of system calls.
typedef struct easel_sandbox_filter easel_sandbox_filter;

/// Compiles the filter of a kind of worker. `reads_fonts` allows reading files, which landlock limits to fonts. Returns
/// NULL with errno if it fails.
easel_sandbox_filter *easel_sandbox_filter_make(bool reads_fonts);

/// Creates a landlock ruleset that allows nothing, or only reading the system's fonts. Returns a descriptor, or -1.
int easel_sandbox_ruleset(bool reads_fonts);

enum {
    EASEL_SANDBOX_SECCOMP = 1,
    EASEL_SANDBOX_LANDLOCK = 2,
    EASEL_SANDBOX_LIMITS = 4,
};

/// Prepares a new worker. The socket becomes descriptor 3 and the ruleset 4; all others except the standard ones are
/// closed. The worker is killed when its parent ends. Returns 0, or -1 with errno.
int easel_sandbox_prepare(int socket, int ruleset, pid_t parent);

/// Restricts this process permanently, as far as the kernel supports it. Returns the restrictions in force.
int easel_sandbox_enter(easel_sandbox_filter *filter, int ruleset, size_t memory_limit, unsigned int cpu_seconds);

/// Loads the time zone data, which a worker cannot read.
void easel_sandbox_warm(void);

/// Loads a character set of the C library, which a worker cannot load, for the rest of the process.
void easel_sandbox_keep_character_set(const char *name);

/// Calls a function in a thread of its own, and returns when the thread has ended.
void easel_sandbox_run_in_thread(void (*function)(void *), void *argument);

/// Returns free memory to the system.
void easel_sandbox_trim(void);

/// Lets free memory of this process go back to the system early: few arenas, and a mapping for each large block.
void easel_sandbox_limit_heap(void);

/// Sets a timeout for receiving from a socket. Returns 0, or -1 with errno.
int easel_sandbox_set_timeout(int socket, int seconds);

#endif
