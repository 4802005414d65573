// What Easel calls of GTK is in 4.8 and goes on working in later versions of GTK 4, which mark parts of it as out of
// date. A warning would be an error in Easel's own build, on a machine with a newer GTK than the one it was written on.
#define GDK_DISABLE_DEPRECATION_WARNINGS
#define GLIB_DISABLE_DEPRECATION_WARNINGS

#include <gtk/gtk.h>

#include <glib-unix.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

// What libdispatch gives to whoever runs a loop of its own: a descriptor that is readable when jobs wait in the main
// queue, which is Swift's main actor, and the function that runs them. CoreFoundation's run loop uses the same two.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

static inline int easel_main_queue_descriptor(void) { return _dispatch_get_main_queue_handle_4CF(); }

static inline void easel_run_main_queue(int descriptor) {
    // The count is taken before the jobs are: one that comes between is announced again.
    guint64 count;
    if (read(descriptor, &count, sizeof count) < 0) {}
    _dispatch_main_queue_callback_4CF(NULL);
}

// Older C libraries have no gettid.
static inline gboolean easel_is_first_thread(void) { return syscall(SYS_gettid) == getpid(); }
#else
#include <pthread.h>

// GDK runs the system's own loop there, and that runs the main queue.
static inline int easel_main_queue_descriptor(void) { return -1; }
static inline void easel_run_main_queue(int descriptor) {}
static inline gboolean easel_is_first_thread(void) { return pthread_main_np() != 0; }
#endif

// GLib's flags, whose own names Swift reads as constants before GLib 2.88, and from it on as members of their type.
static const GConnectFlags easel_connect_swapped = G_CONNECT_SWAPPED;
static const GConnectFlags easel_connect_swapped_after = G_CONNECT_SWAPPED | G_CONNECT_AFTER;

// Swift sees no functions with a variable number of arguments.

// Whether the user wants things to move.
static inline gboolean easel_animations_enabled(GtkWidget *widget) {
    gboolean enabled = TRUE;
    g_object_get(gtk_widget_get_settings(widget), "gtk-enable-animations", &enabled, NULL);
    return enabled;
}

// What assistive technology says of a widget.
static inline void easel_set_accessible_label(GtkWidget *widget, const char *label) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}
