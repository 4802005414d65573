// Later versions of GTK 4 deprecate some functions of 4.8 that Easel uses. The warnings would fail Easel's own build.
#define GDK_DISABLE_DEPRECATION_WARNINGS
#define GLIB_DISABLE_DEPRECATION_WARNINGS

#include <gtk/gtk.h>

#include <glib-unix.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

// The libdispatch interface for custom event loops, also used by CoreFoundation: a descriptor that is readable when
// jobs wait in the main queue, Swift's main actor, and the function that runs them.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

static inline int easel_main_queue_descriptor(void) { return _dispatch_get_main_queue_handle_4CF(); }

static inline void easel_run_main_queue(int descriptor) {
    // The count is read before the jobs run, so a job that arrives in between signals the descriptor again.
    guint64 count;
    if (read(descriptor, &count, sizeof count) < 0) {}
    _dispatch_main_queue_callback_4CF(NULL);
}

// Older C libraries lack gettid.
static inline gboolean easel_is_first_thread(void) { return syscall(SYS_gettid) == getpid(); }
#else
#include <pthread.h>

// GDK runs the system's event loop, which runs the main queue.
static inline int easel_main_queue_descriptor(void) { return -1; }
static inline void easel_run_main_queue(int descriptor) {}
static inline gboolean easel_is_first_thread(void) { return pthread_main_np() != 0; }
#endif

// GLib flags that Swift imports as constants before GLib 2.88, and as members of their type since then.
static const GConnectFlags easel_connect_swapped = G_CONNECT_SWAPPED;
static const GConnectFlags easel_connect_swapped_after = G_CONNECT_SWAPPED | G_CONNECT_AFTER;

// Wrappers for variadic functions, which Swift does not import.

// Returns whether the user has enabled animations.
static inline gboolean easel_animations_enabled(GtkWidget *widget) {
    gboolean enabled = TRUE;
    g_object_get(gtk_widget_get_settings(widget), "gtk-enable-animations", &enabled, NULL);
    return enabled;
}

// Sets the label for assistive technology.
static inline void easel_set_accessible_label(GtkWidget *widget, const char *label) {
    if (label) {
        gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
    } else {
        gtk_accessible_reset_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL);
    }
}
