// What of GTK is only there on some displays, and cannot be asked from Swift without names of Xlib's in everybody's code.
#ifndef EASEL_GTK_H
#define EASEL_GTK_H

struct _cairo_surface;

/// Takes a small piece of the memory that Cairo shares with the X server for the frames of `surface`, a `GdkSurface` of this size in the
/// display's pixels. As long as there is such a piece all of that memory stays. `cairo_surface_destroy` gives it back; NULL where nothing
/// is shared.
struct _cairo_surface *easel_frame_memory_keep(void *surface, int width, int height);

#endif
