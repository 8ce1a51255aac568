#ifndef ZB_CCMARK_SHIM_H
#define ZB_CCMARK_SHIM_H
#include <stdbool.h>
#include <string.h>
#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>

/* An extension's node type is in no header; its name is. */
static inline bool zb_cmark_is_strikethrough(cmark_node *node) {
    return strcmp(cmark_node_get_type_string(node), "strikethrough") == 0;
}
#endif
