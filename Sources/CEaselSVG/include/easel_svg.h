#ifndef EASEL_SVG_H
#define EASEL_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// librsvg and Cairo over bytes in memory, without glib's types. A document has no address of its own here, so that librsvg
// loads nothing that it refers to but data: URLs; and libxml2's limits on what it may grow to are kept.

typedef struct easel_svg_document easel_svg_document;

typedef enum {
    EASEL_SVG_REFERENCE, // the value of an attribute href, which librsvg may load
    EASEL_SVG_STYLE,     // a piece of a property or of a style sheet; one without bytes ends it
} easel_svg_text;

// Called with text of the document, entities replaced. false ends the visit.
typedef bool (*easel_svg_text_handler)(void *context, easel_svg_text kind, const uint8_t *text, size_t count);

// Calls the handler for each attribute href of a document but those of links and scripts, in any namespace, for each style
// sheet, and for each other attribute that may refer to data. Returns whether the document is well formed, within libxml2's
// limits and librsvg's on the number of elements, and all was allowed. Nothing that stands elsewhere is loaded. A style sheet
// that a processing instruction holds is not allowed.
bool easel_svg_visit_references(
    const uint8_t *bytes, size_t count, easel_svg_text_handler handler, void *context);

// The bytes are needed no longer afterwards. NULL for what is no SVG, or too large a one.
easel_svg_document *easel_svg_open(const uint8_t *bytes, size_t count);
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
