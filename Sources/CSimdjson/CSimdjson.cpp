#include "CSimdjson.h"

#include <simdjson.h>

#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

// Flattens simdjson's tape. Recursion is bounded by the depth the parser was given.
class Flattener {
public:
    Flattener(std::vector<zb_json_node> &nodes, size_t limit) : nodes(nodes), limit(limit) {}

    // False when the document has more nodes than it may.
    bool append(element value) {
        if (nodes.size() >= limit) return false;
        switch (value.type()) {
        case element_type::NULL_VALUE: push(ZB_JSON_NULL, 0, 0); return true;
        case element_type::BOOL: push(bool(value) ? ZB_JSON_TRUE : ZB_JSON_FALSE, 0, 0); return true;
        case element_type::INT64: push(ZB_JSON_INT, 0, uint64_t(int64_t(value))); return true;
        case element_type::UINT64: push(ZB_JSON_UINT, 0, uint64_t(value)); return true;
        case element_type::DOUBLE: {
            double number = double(value);
            uint64_t bits;
            std::memcpy(&bits, &number, sizeof bits);
            push(ZB_JSON_DOUBLE, 0, bits);
            return true;
        }
        case element_type::STRING: string(std::string_view(value)); return true;
        case element_type::ARRAY: return array(simdjson::dom::array(value));
        case element_type::OBJECT: return object(simdjson::dom::object(value));
        }
        return false;
    }

private:
    bool array(simdjson::dom::array array) {
        size_t start = push(ZB_JSON_ARRAY, 0, 0);
        uint64_t count = 0;
        for (element value : array) {
            if (!append(value)) return false;
            count += 1;
        }
        close(start, count);
        return true;
    }

    bool object(simdjson::dom::object object) {
        size_t start = push(ZB_JSON_OBJECT, 0, 0);
        uint64_t count = 0;
        for (auto member : object) {
            if (nodes.size() >= limit) return false;
            string(member.key);
            if (!append(member.value)) return false;
            count += 1;
        }
        close(start, count);
        return true;
    }

    void string(std::string_view text) { push(ZB_JSON_STRING, uint32_t(text.size()), uint64_t(uintptr_t(text.data()))); }

    size_t push(uint32_t kind, uint32_t length, uint64_t payload) {
        nodes.push_back({kind, length, payload});
        return nodes.size() - 1;
    }

    void close(size_t start, uint64_t count) {
        nodes[start].length = uint32_t(nodes.size() - start - 1);
        nodes[start].payload = count;
    }

    std::vector<zb_json_node> &nodes;
    size_t limit;
};

// A 64 x 64 -> 128 bit multiplication folded together: the mixing step of the wyhash family.
inline uint64_t mix(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)a * b;
    return uint64_t(product) ^ uint64_t(product >> 64);
}

inline uint64_t word(const uint8_t *bytes) {
    uint64_t value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

inline uint64_t half_word(const uint8_t *bytes) {
    uint32_t value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

// A running digest. Both keys come from the seed: with known ones, content could be chosen that multiplies by zero and so
// forgets all that came before it.
class Digest {
public:
    explicit Digest(uint64_t seed)
        : first(mix(seed ^ 0xa0761d6478bd642full, 0xe7037ed1a0b428dbull)),
          second(mix(seed ^ 0x8ebc6af09c88c6e3ull, 0x589965cc75374cc3ull)), state(seed) {}

    void add(uint64_t a, uint64_t b) { state = mix(a ^ first ^ state, b ^ second) ^ state; }

    // The length must be added beside it: the last word is read again where it overlaps.
    void add(const uint8_t *bytes, size_t length) {
        if (length > 16) {
            const uint8_t *last = bytes + length - 16;
            for (; bytes < last; bytes += 16) add(word(bytes), word(bytes + 8));
            add(word(last), word(last + 8));
        } else if (length >= 8) {
            add(word(bytes), word(bytes + length - 8));
        } else if (length >= 4) {
            add(half_word(bytes), half_word(bytes + length - 4));
        } else if (length > 0) {
            add(bytes[0] | uint64_t(bytes[length / 2]) << 8 | uint64_t(bytes[length - 1]) << 16, 0);
        }
    }

    uint64_t value() const { return mix(state ^ first, second); }

private:
    uint64_t first, second, state;
};

}  // namespace

struct zb_json_document {
    // Owns the text of all strings. One per document, so that a large answer's buffers go with it.
    simdjson::dom::parser parser;
    std::vector<zb_json_node> nodes;
};

zb_json_document *zb_json_parse(const uint8_t *bytes, size_t length, size_t max_depth, size_t max_nodes,
                                const char **problem) try {
    auto document = std::make_unique<zb_json_document>();
    simdjson::error_code error = document->parser.allocate(length + simdjson::SIMDJSON_PADDING, max_depth);
    element root;
    if (!error) error = document->parser.parse(bytes, length).get(root);
    if (error) {
        *problem = simdjson::error_message(error);
        return nullptr;
    }
    document->nodes.reserve(length / 24 + 16);
    if (!Flattener(document->nodes, max_nodes).append(root)) {
        *problem = "the document has too many values";
        return nullptr;
    }
    return document.release();
} catch (const std::bad_alloc &) {
    *problem = "there is not enough memory for the document";
    return nullptr;
}

void zb_json_free(zb_json_document *document) { delete document; }

const zb_json_node *zb_json_nodes(const zb_json_document *document) { return document->nodes.data(); }

size_t zb_json_node_count(const zb_json_document *document) { return document->nodes.size(); }

uint64_t zb_digest(const uint8_t *bytes, size_t length, uint64_t seed) {
    Digest digest(seed);
    digest.add(length, 0);
    digest.add(bytes, length);
    return digest.value();
}

uint64_t zb_json_digest(const zb_json_node *node, uint64_t seed) {
    const zb_json_node *end = node + 1 + (node->kind >= ZB_JSON_ARRAY ? node->length : 0);
    Digest digest(seed);
    for (; node != end; node++) {
        uint64_t head = uint64_t(node->length) << 8 | node->kind;
        if (node->kind == ZB_JSON_STRING) {
            digest.add(head, 0);
            digest.add((const uint8_t *)uintptr_t(node->payload), node->length);
        } else {
            digest.add(head, node->payload);
        }
    }
    return digest.value();
}
