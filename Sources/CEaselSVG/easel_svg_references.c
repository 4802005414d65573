#include "easel_svg.h"

// Without the package's trait the library need not be there, and nothing calls this.
#if __has_include(<libxml/SAX2.h>) && __has_include(<libxml/parser.h>)

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

// librsvg's own bound. Elements of an entity count each time that it is used.
static const int most_elements = 1000000;

typedef struct {
    easel_svg_reference_handler handler;
    void *context;
    int elements;
    bool is_refused;
} visit;

// Entities that stand elsewhere are not declared, so that nothing is loaded; nor are parameter entities. librsvg does the same.
static void declare_entity(
    void *parser, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id, xmlChar *content)
{
    if (type == XML_INTERNAL_GENERAL_ENTITY) {
        xmlSAX2EntityDecl(parser, name, type, public_id, system_id, content);
    }
}

// Where `text` begins first, in upper or lower case; NULL where it does not.
static const char *find(const char *start, const char *end, const char *text)
{
    size_t count = strlen(text);
    for (; (size_t)(end - start) >= count; start++) {
        if (strncasecmp(start, text, count) == 0) {
            return start;
        }
    }
    return NULL;
}

static bool is_external_property(const char *start, const char *end)
{
    const char *url = find(start, end, "url(");
    return url && find(url, end, "data:");
}

static bool allows(visit *state, bool may_load, const xmlChar **attribute)
{
    if (strcmp((const char *)attribute[0], "href") == 0) {
        return !may_load || state->handler(state->context, attribute[3], (size_t)(attribute[4] - attribute[3]));
    }
    return !is_external_property((const char *)attribute[3], (const char *)attribute[4]);
}

static void begin_element(
    void *parser, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
    const xmlChar **namespaces, int attribute_count, int default_count, const xmlChar **attributes)
{
    (void)prefix, (void)uri, (void)namespace_count, (void)namespaces, (void)default_count;
    visit *state = ((xmlParserCtxtPtr)parser)->_private;
    state->is_refused = state->is_refused || ++state->elements > most_elements;
    bool may_load = strcmp((const char *)name, "a") != 0 && strcmp((const char *)name, "script") != 0;
    // Five pointers an attribute: its name, prefix and namespace, and the start and the end of its value.
    for (int index = 0; index < attribute_count && !state->is_refused; index++) {
        state->is_refused = !allows(state, may_load, attributes + 5 * index);
    }
    if (state->is_refused) {
        xmlStopParser(parser);
    }
}

bool easel_svg_visit_references(
    const uint8_t *bytes, size_t count, easel_svg_reference_handler handler, void *context)
{
    visit state = {.handler = handler, .context = context};
    xmlSAXHandler calls;
    memset(&calls, 0, sizeof calls);
    if (count > INT_MAX || xmlSAXVersion(&calls, 2) != 0) {
        return false;
    }
    // No tree is made: only entities are kept.
    calls.startElementNs = begin_element;
    calls.entityDecl = declare_entity;
    calls.endElementNs = NULL;
    calls.characters = NULL;
    calls.ignorableWhitespace = NULL;
    calls.cdataBlock = NULL;
    calls.comment = NULL;
    calls.processingInstruction = NULL;
    calls.reference = NULL;
    calls.externalSubset = NULL;
    calls.resolveEntity = NULL;
    xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&calls, NULL, NULL, 0, NULL);
    if (!parser) {
        return false;
    }
    parser->_private = &state;
    xmlCtxtUseOptions(parser, XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    xmlParseChunk(parser, (const char *)bytes, (int)count, 1);
    bool is_well_formed = parser->wellFormed && !state.is_refused;
    xmlFreeDoc(parser->myDoc);
    xmlFreeParserCtxt(parser);
    return is_well_formed;
}

#endif
