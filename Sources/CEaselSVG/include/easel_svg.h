#ifndef EASEL_SVG_H
#define EASEL_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// librsvg and Cairo over bytes in memory, without glib's types. A document has no address of its own here, so that librsvg
// loads nothing that it refers to but data: URLs; and libxml2's limits on what it may grow to are kept.

typedef struct easel_svg_document easel_svg_document;

// Called with the size of a picture in the document that is refused, before the library that would decode it reads on.
typedef void (*easel_svg_refusal)(void *context, int64_t width, int64_t height);

// The bytes are needed no longer afterwards. NULL for what is no SVG, or too large a one. Pictures of pixels that the document
// holds may have so many pixels together; those beyond are refused and not drawn.
easel_svg_document *easel_svg_open(
    const uint8_t *bytes, size_t count, int64_t raster_pixels, easel_svg_refusal refusal, void *context);
void easel_svg_close(easel_svg_document *document);

// The part of the plane that the document says to show, in pixels at 96 an inch; one without a size in pixels shows its
// viewBox, one without that what it draws, and an empty one 300 x 150. A side may be 0, or no number.
typedef struct {
    double x, y, width, height;
} easel_svg_area;

easel_svg_area easel_svg_natural_area(easel_svg_document *document);

// Draws the area onto zeroed premultiplied pixels, blue in the lowest byte of a word. false where it cannot be drawn, or where
// a side is beyond Cairo's limit of 32,767.
bool easel_svg_draw(
    easel_svg_document *document, easel_svg_area area, double scale_x, double scale_y, uint8_t *pixels, int width,
    int height, int bytes_per_row);

#endif
