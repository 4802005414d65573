#include "easel_svg.h"

// Without the package trait, the library may be missing, and this is unused.
#if __has_include(<libxml/SAX2.h>) && __has_include(<libxml/parser.h>)

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

// The limit of librsvg. Elements of an entity count each time that it is used.
static const int max_elements = 1000000;

typedef struct {
    easel_svg_text_handler handler;
    void *context;
    int elements;
    int style_depth; // open elements, from the outermost style sheet on
    bool is_refused;
} visit;

// Declares only internal entities, so that nothing is loaded, and no parameter entities. librsvg does the same.
static void declare_entity(
    void *parser, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id, xmlChar *content) {
    if (type == XML_INTERNAL_GENERAL_ENTITY) {
        xmlSAX2EntityDecl(parser, name, type, public_id, system_id, content);
    }
}

// Returns the first occurrence of `text`, ignoring case; NULL if there is none.
static const char *find(const char *start, const char *end, const char *text) {
    size_t count = strlen(text);
    for (; (size_t)(end - start) >= count; start++) if (strncasecmp(start, text, count) == 0) return start;
    return NULL;
}

// CSS escapes can hide any text.
static bool may_have_url(const char *start, const char *end) {
    return memchr(start, '\\', (size_t)(end - start)) || find(start, end, "url(");
}

static bool allows(visit *state, easel_svg_text kind, const char *start, const char *end) {
    return !state->is_refused && state->handler(state->context, kind, (const uint8_t *)start, (size_t)(end - start));
}

static bool allows_attribute(visit *state, bool may_load, const xmlChar **attribute) {
    const char *start = (const char *)attribute[3], *end = (const char *)attribute[4];
    if (strcmp((const char *)attribute[0], "href") == 0) {
        return !may_load || allows(state, EASEL_SVG_REFERENCE, start, end);
    }
    if (start == end || !may_have_url(start, end)) return true;
    // Rejects properties of elements inside a style sheet, since their text would be mixed with its own.
    return state->style_depth == 0 && allows(state, EASEL_SVG_STYLE, start, end) && allows(state, EASEL_SVG_STYLE, end, end);
}

// Returns the visit of a parser. libxml2 parses each entity with a separate parser, which shares it.
static visit *visit_of(void *parser) { return ((xmlParserCtxtPtr)parser)->_private; }

static void refuse_unless(bool is_allowed, void *parser) {
    if (!is_allowed) {
        visit_of(parser)->is_refused = true;
        xmlStopParser(parser);
    }
}

static void begin_element(
    void *parser, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
    const xmlChar **namespaces, int attribute_count, int default_count, const xmlChar **attributes) {
    visit *state = visit_of(parser);
    bool is_allowed = !state->is_refused && ++state->elements <= max_elements;
    bool may_load = strcmp((const char *)name, "a") != 0 && strcmp((const char *)name, "script") != 0;
    // Each attribute has five pointers: its name, prefix and namespace, and the start and end of its value.
    for (int index = 0; index < attribute_count && is_allowed; index++) {
        is_allowed = allows_attribute(state, may_load, attributes + 5 * index);
    }
    if (state->style_depth > 0 || strcmp((const char *)name, "style") == 0) state->style_depth += 1;
    refuse_unless(is_allowed, parser);
}

static void end_element(void *parser, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    visit *state = visit_of(parser);
    if (state->style_depth > 0 && --state->style_depth == 0) {
        refuse_unless(allows(state, EASEL_SVG_STYLE, NULL, NULL), parser);
    }
}

static void handle_text(void *parser, const xmlChar *text, int count) {
    visit *state = visit_of(parser);
    if (state->style_depth > 0 && count > 0) {
        const char *start = (const char *)text;
        refuse_unless(allows(state, EASEL_SVG_STYLE, start, start + count), parser);
    }
}

// Handles a style sheet instruction like an import, and rejects character references.
static void handle_instruction(void *parser, const xmlChar *target, const xmlChar *data) {
    static const char import[] = "@import ";
    if (!data || strcmp((const char *)target, "xml-stylesheet") != 0) return;
    visit *state = visit_of(parser);
    const char *start = (const char *)data, *end = start + strlen(start);
    bool is_allowed = state->style_depth == 0 && !strchr(start, '&')
        && allows(state, EASEL_SVG_STYLE, import, import + strlen(import))
        && (start == end || allows(state, EASEL_SVG_STYLE, start, end)) && allows(state, EASEL_SVG_STYLE, end, end);
    refuse_unless(is_allowed, parser);
}

bool easel_svg_visit_references(
    const uint8_t *bytes, size_t count, easel_svg_text_handler handler, void *context) {
    visit state = {.handler = handler, .context = context};
    xmlSAXHandler calls;
    memset(&calls, 0, sizeof calls);
    if (count > INT_MAX || xmlSAXVersion(&calls, 2) != 0) return false;
    // Builds no tree: only entities are stored.
    calls.startElementNs = begin_element;
    calls.entityDecl = declare_entity;
    calls.endElementNs = end_element;
    calls.characters = handle_text;
    calls.ignorableWhitespace = handle_text;
    calls.cdataBlock = handle_text;
    calls.comment = NULL;
    calls.processingInstruction = handle_instruction;
    calls.reference = NULL;
    calls.externalSubset = NULL;
    calls.resolveEntity = NULL;
    xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&calls, NULL, NULL, 0, NULL);
    if (!parser) return false;
    parser->_private = &state;
    xmlCtxtUseOptions(parser, XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    xmlParseChunk(parser, (const char *)bytes, (int)count, 1);
    bool is_well_formed = parser->wellFormed && !state.is_refused;
    xmlFreeDoc(parser->myDoc);
    xmlFreeParserCtxt(parser);
    return is_well_formed;
}

#endif
