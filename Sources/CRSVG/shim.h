#include <cairo/cairo.h>
#include <librsvg/rsvg.h>
