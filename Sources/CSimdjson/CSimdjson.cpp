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
    explicit Flattener(std::vector<zb_json_node> &nodes) : nodes(nodes) {}

    void append(element value) {
        switch (value.type()) {
        case element_type::NULL_VALUE: push(ZB_JSON_NULL, 0, 0); break;
        case element_type::BOOL: push(bool(value) ? ZB_JSON_TRUE : ZB_JSON_FALSE, 0, 0); break;
        case element_type::INT64: push(ZB_JSON_INT, 0, uint64_t(int64_t(value))); break;
        case element_type::UINT64: push(ZB_JSON_UINT, 0, uint64_t(value)); break;
        case element_type::DOUBLE: {
            double number = double(value);
            uint64_t bits;
            std::memcpy(&bits, &number, sizeof bits);
            push(ZB_JSON_DOUBLE, 0, bits);
            break;
        }
        case element_type::STRING: string(std::string_view(value)); break;
        case element_type::ARRAY: array(simdjson::dom::array(value)); break;
        case element_type::OBJECT: object(simdjson::dom::object(value)); break;
        }
    }

private:
    void array(simdjson::dom::array array) {
        size_t start = push(ZB_JSON_ARRAY, 0, 0);
        uint64_t count = 0;
        for (element value : array) {
            append(value);
            count += 1;
        }
        close(start, count);
    }

    void object(simdjson::dom::object object) {
        size_t start = push(ZB_JSON_OBJECT, 0, 0);
        uint64_t count = 0;
        for (auto member : object) {
            string(member.key);
            append(member.value);
            count += 1;
        }
        close(start, count);
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
};

inline bool is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

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

size_t zb_json_expected_nodes(const uint8_t *bytes, size_t length) {
    // Every value but the first follows a comma, a colon or the opening of its container, every name has a colon.
    size_t count = 1;
    bool in_string = false;
    uint8_t last = 0;
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = bytes[i];
        if (in_string) {
            if (byte == '\\') i++;
            in_string = byte != '"';
        } else if (byte == '"') {
            in_string = true;
        } else if (byte == ',' || byte == ':' || byte == '[' || byte == '{') {
            count++;
        } else if ((byte == ']' && last == '[') || (byte == '}' && last == '{')) {
            count--;
        }
        if (!is_space(byte)) last = byte;
    }
    return count;
}

zb_json_document *zb_json_parse(const uint8_t *bytes, size_t length, size_t max_depth, const char **problem) try {
    auto document = std::make_unique<zb_json_document>();
    simdjson::error_code error = document->parser.allocate(length + simdjson::SIMDJSON_PADDING, max_depth);
    element root;
    if (!error) error = document->parser.parse(bytes, length).get(root);
    if (error) {
        *problem = simdjson::error_message(error);
        return nullptr;
    }
    document->nodes.reserve(length / 24 + 16);
    Flattener(document->nodes).append(root);
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

size_t zb_json_text_size(const zb_json_node *node) {
    const zb_json_node *end = node + 1 + (node->kind >= ZB_JSON_ARRAY ? node->length : 0);
    size_t size = 0;
    for (; node != end; node++) {
        if (node->kind == ZB_JSON_STRING) size += node->length;
    }
    return size;
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
