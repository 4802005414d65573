// Swift Testing's `main` is asynchronous: after its first `await`, the main thread is parked and the main actor runs on
// another thread, where GTK must not be used. A hook of the runtime replaces what the main thread does then. For tests
// of views it runs GLib's main loop, which also runs the main actor.

// Empty without the GTK trait.
#if defined(__linux__) && __has_include(<glib-unix.h>)
#include <glib-unix.h>
#include <stdlib.h>
#include <unistd.h>

typedef __attribute__((swiftcall)) void (*Drain)(void);
typedef __attribute__((swiftcall)) void (*DrainHook)(Drain original, Drain replacement);
extern DrainHook swift_task_asyncMainDrainQueue_hook;
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

static gboolean run_jobs(gint descriptor, GIOCondition condition, gpointer data) {
    guint64 count;
    if (read(descriptor, &count, sizeof count) < 0) {}
    _dispatch_main_queue_callback_4CF(NULL);
    return G_SOURCE_CONTINUE;
}

static __attribute__((swiftcall)) void run_main_loop(Drain original, Drain replacement) {
    g_unix_fd_add(_dispatch_get_main_queue_handle_4CF(), G_IO_IN, run_jobs, NULL);
    g_main_loop_run(g_main_loop_new(NULL, FALSE));
}

// All test targets share one binary, so the hook is installed only if `make test-gtk` sets the variable.
__attribute__((constructor)) static void install(void) {
    if (getenv("EASEL_GTK_TESTS")) swift_task_asyncMainDrainQueue_hook = run_main_loop;
}
#endif
