#include "easel_gtk.h"

#include <stddef.h>

// Without the package's trait GTK need not be there, and without X11 nothing is shared.
#if __has_include(<gtk/gtk.h>) && __has_include(<gdk/x11/gdkx.h>) && __has_include(<cairo-xlib.h>)

#define GDK_DISABLE_DEPRECATION_WARNINGS
#include <cairo-xlib.h>
#include <gdk/x11/gdkx.h>
#include <gtk/gtk.h>

// Of the few points of a picture that are more than Cairo has in memory of its own.
static const int side = 64;

cairo_surface_t *easel_frame_memory_keep(void *surface, int width, int height) {
    if (!GDK_IS_X11_SURFACE(surface)) return NULL;
    Display *display = gdk_x11_display_get_xdisplay(gdk_surface_get_display(surface));
    cairo_surface_t *window = cairo_xlib_surface_create(
        display, gdk_x11_surface_get_xid(surface), DefaultVisual(display, DefaultScreen(display)), width, height);
    // Cairo takes memory from the server for eight times of what it is asked for first: the piece has to be where frames find room.
    cairo_surface_t *frame = cairo_surface_create_similar_image(window, CAIRO_FORMAT_RGB24, width, height);
    cairo_surface_t *piece = cairo_surface_create_similar_image(window, CAIRO_FORMAT_RGB24, side, side);
    cairo_surface_destroy(frame);
    cairo_surface_destroy(window);
    // The display may be another machine's: then this is memory like any other.
    if (cairo_surface_get_device(piece) != NULL) return piece;
    cairo_surface_destroy(piece);
    return NULL;
}

#else

struct _cairo_surface *easel_frame_memory_keep(void *surface, int width, int height) { return NULL; }

#endif
