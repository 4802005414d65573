#ifndef EASEL_SVG_H
#define EASEL_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// librsvg and Cairo for documents in memory, without glib's types. The document has no base URL, so librsvg loads only
// data: URLs. libxml2's size limits apply.

typedef struct easel_svg_document easel_svg_document;

typedef enum {
    EASEL_SVG_REFERENCE, // the value of an href attribute, which librsvg may load
    EASEL_SVG_STYLE,     // part of a property or style sheet; empty text ends it
} easel_svg_text;

// Receives text of the document after entity expansion. Returns false to stop the visit.
typedef bool (*easel_svg_text_handler)(void *context, easel_svg_text kind, const uint8_t *text, size_t count);

// Calls the handler for each href attribute in any namespace, except those of links and scripts, for each style sheet,
// and for each other attribute that may refer to data. Returns whether the document is well formed, within libxml2's
// limits and librsvg's on the number of elements, and the handler allowed everything. Loads nothing external. Rejects a
// style sheet in a processing instruction.
bool easel_svg_visit_references(
    const uint8_t *bytes, size_t count, easel_svg_text_handler handler, void *context);

// Parses a document; the bytes are not needed afterwards. Returns NULL if it is not an SVG or exceeds a limit.
easel_svg_document *easel_svg_open(const uint8_t *bytes, size_t count);
void easel_svg_close(easel_svg_document *document);

// The visible area of a document, in pixels at 96 an inch: its size, or else its viewBox, or else its content; 300 x
// 150 for an empty document. A side can be 0 or NaN.
typedef struct {
    double x, y, width, height;
} easel_svg_area;

easel_svg_area easel_svg_natural_area(easel_svg_document *document);

// Draws the area onto zeroed premultiplied pixels, blue in the lowest byte of a word. Returns false if drawing fails,
// or if a side exceeds Cairo's limit of 32,767.
bool easel_svg_draw(
    easel_svg_document *document, easel_svg_area area, double scale_x, double scale_y, uint8_t *pixels, int width,
    int height, int bytes_per_row);

// Discards the messages of all libraries that use GLib's log, for a process that cannot write them.
void easel_svg_discard_messages(void);

// Returns the version of librsvg: 2054007 is 2.54.7.
uint32_t easel_svg_version(void);

#endif
