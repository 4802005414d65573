#include "easel_svg.h"

// Without the package trait, the library may be missing, and this is unused.
#if __has_include(<cairo/cairo.h>) && __has_include(<librsvg/rsvg.h>) && __has_include(<libxml/xmlerror.h>)

#include <cairo/cairo.h>
#include <librsvg/rsvg.h>
#include <libxml/xmlerror.h>

static const double pixels_per_inch = 96;

// The default size of CSS for an image without a size.
static const RsvgRectangle default_viewport = {.x = 0, .y = 0, .width = 300, .height = 150};

// Discards errors outside of a document, which libxml2 would write to stderr. Handlers are per thread.
static void ignore_error(void *context, const xmlError *error) {}

easel_svg_document *easel_svg_open(const uint8_t *bytes, size_t count) {
    GInputStream *stream = g_memory_input_stream_new_from_data(bytes, (gssize)count, NULL);
    xmlStructuredErrorFunc earlier = xmlStructuredError;
    void *earlier_context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(NULL, (xmlStructuredErrorFunc)ignore_error);
    RsvgHandle *handle = rsvg_handle_new_from_stream_sync(stream, NULL, RSVG_HANDLE_FLAGS_NONE, NULL, NULL);
    xmlSetStructuredErrorFunc(earlier_context, earlier);
    g_object_unref(stream);
    if (handle) rsvg_handle_set_dpi(handle, pixels_per_inch);
    return (easel_svg_document *)handle;
}

void easel_svg_close(easel_svg_document *document) { g_object_unref(document); }

// Returns 0 for a length relative to the viewport, which is unknown.
static double convert_to_pixels(RsvgLength length) {
    switch (length.unit) {
    case RSVG_UNIT_PX: return length.length;
    case RSVG_UNIT_EM: return length.length * 16;
    case RSVG_UNIT_EX: return length.length * 8;
    case RSVG_UNIT_IN: return length.length * pixels_per_inch;
    case RSVG_UNIT_CM: return length.length * pixels_per_inch / 2.54;
    case RSVG_UNIT_MM: return length.length * pixels_per_inch / 25.4;
    case RSVG_UNIT_PT: return length.length * pixels_per_inch / 72;
    case RSVG_UNIT_PC: return length.length * pixels_per_inch / 6;
    default: return 0;
    }
}

// Computes a missing side from the proportions of the viewBox.
static easel_svg_area area_of_view_box(RsvgRectangle box, double width, double height) {
    if (width > 0) {
        return (easel_svg_area){.width = width, .height = width * box.height / box.width};
    }
    if (height > 0) {
        return (easel_svg_area){.width = height * box.width / box.height, .height = height};
    }
    return (easel_svg_area){.width = box.width, .height = box.height};
}

easel_svg_area easel_svg_natural_area(easel_svg_document *document) {
    RsvgHandle *handle = (RsvgHandle *)document;
    easel_svg_area area = {0};
    if (rsvg_handle_get_intrinsic_size_in_pixels(handle, &area.width, &area.height)) return area;
    gboolean has_width, has_height, has_box;
    RsvgLength width, height;
    RsvgRectangle box, ink, logical;
    rsvg_handle_get_intrinsic_dimensions(handle, &has_width, &width, &has_height, &height, &has_box, &box);
    double width_in_pixels = has_width ? convert_to_pixels(width) : 0;
    double height_in_pixels = has_height ? convert_to_pixels(height) : 0;
    if (has_box && box.width > 0 && box.height > 0) {
        return area_of_view_box(box, width_in_pixels, height_in_pixels);
    }
    if (width_in_pixels > 0 || height_in_pixels > 0) {
        return (easel_svg_area){
            .width = width_in_pixels > 0 ? width_in_pixels : default_viewport.width,
            .height = height_in_pixels > 0 ? height_in_pixels : default_viewport.height};
    }
    if (rsvg_handle_get_geometry_for_layer(handle, NULL, &default_viewport, &ink, &logical, NULL) &&
        ink.width > 0 && ink.height > 0) {
        return (easel_svg_area){.x = ink.x, .y = ink.y, .width = ink.width, .height = ink.height};
    }
    return (easel_svg_area){.width = default_viewport.width, .height = default_viewport.height};
}

bool easel_svg_draw(
    easel_svg_document *document, easel_svg_area area, double scale_x, double scale_y, uint8_t *pixels, int width,
    int height, int bytes_per_row) {
    cairo_surface_t *surface =
        cairo_image_surface_create_for_data(pixels, CAIRO_FORMAT_ARGB32, width, height, bytes_per_row);
    cairo_t *context = cairo_create(surface);
    cairo_scale(context, scale_x, scale_y);
    cairo_translate(context, -area.x, -area.y);
    RsvgRectangle viewport = {.x = 0, .y = 0, .width = area.width, .height = area.height};
    bool is_drawn = cairo_status(context) == CAIRO_STATUS_SUCCESS &&
        rsvg_handle_render_document((RsvgHandle *)document, context, &viewport, NULL);
    cairo_destroy(context);
    cairo_surface_flush(surface);
    cairo_surface_destroy(surface);
    return is_drawn;
}

static GLogWriterOutput discard(GLogLevelFlags level, const GLogField *fields, gsize count, gpointer context) {
    return G_LOG_WRITER_HANDLED;
}

void easel_svg_discard_messages(void) {
    static bool is_set = false;
    if (!is_set) g_log_set_writer_func(discard, NULL, NULL);
    is_set = true;
}

uint32_t easel_svg_version(void) {
    return (rsvg_major_version * 1000 + rsvg_minor_version) * 1000 + rsvg_micro_version;
}

#endif
