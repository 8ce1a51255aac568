#ifndef ZB_CSIMDJSON_H
#define ZB_CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

/* What a node is. The payload of a number is its bits. */
enum {
    ZB_JSON_NULL,
    ZB_JSON_FALSE,
    ZB_JSON_TRUE,
    ZB_JSON_INT,      /* payload: int64_t */
    ZB_JSON_UINT,     /* payload: uint64_t above INT64_MAX */
    ZB_JSON_DOUBLE,   /* payload: double */
    ZB_JSON_STRING,   /* payload: address of its UTF-8; length: its bytes */
    ZB_JSON_ARRAY,    /* payload: number of elements; length: nodes inside */
    ZB_JSON_OBJECT    /* payload: number of members; length: nodes inside. A member is a string node, then its value */
};

/* How many nodes the text comes to once it is parsed, which takes some thirty bytes for each. One pass, no memory. Of what
   is not JSON: some number. */
size_t zb_json_expected_nodes(const uint8_t *_Nullable bytes, size_t length);

/* A document is one flat array in the order of the text, so a subtree is contiguous. */
typedef struct {
    uint32_t kind;
    uint32_t length;
    uint64_t payload;
} zb_json_node;

typedef struct zb_json_document zb_json_document;

/* Null with *problem set to a sentence of static storage when the text is not JSON that this library takes: deeper than
   max_depth, an unpaired surrogate, a number outside 64 bits or double's range, a BOM. */
zb_json_document *_Nullable zb_json_parse(const uint8_t *bytes, size_t length, size_t max_depth,
                                          const char *_Nonnull *_Nonnull problem);
/* What `problem` is before anything went wrong. */
static inline const char *zb_json_no_problem(void) { return ""; }

void zb_json_free(zb_json_document *document);
const zb_json_node *zb_json_nodes(const zb_json_document *document);
size_t zb_json_node_count(const zb_json_document *document);

/* A digest of the subtree at `node`, equal for equal content: for telling changed from unchanged within a process. */
uint64_t zb_json_digest(const zb_json_node *node, uint64_t seed);

/* The bytes of all strings in the subtree at `node`, member names too. */
size_t zb_json_text_size(const zb_json_node *node);

/* A digest of bytes, likewise. Not for anything that is kept. */
uint64_t zb_digest(const uint8_t *_Nullable bytes, size_t length, uint64_t seed);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif

#endif
