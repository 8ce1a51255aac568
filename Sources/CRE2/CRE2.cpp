#include "CRE2.h"

#include <re2/re2.h>

#include <cstdio>
#include <new>

struct zb_re2 {
    re2::RE2 re;
    zb_re2(re2::StringPiece pattern, const re2::RE2::Options &options) : re(pattern, options) {}
};

extern "C" {

zb_re2 *zb_re2_new(const char *pattern, size_t length, long max_memory, char *error, size_t error_size) {
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(max_memory);
    auto *compiled = new (std::nothrow) zb_re2(re2::StringPiece(pattern, length), options);
    if (compiled == nullptr) {
        std::snprintf(error, error_size, "out of memory");
        return nullptr;
    }
    if (!compiled->re.ok()) {
        std::snprintf(error, error_size, "%s", compiled->re.error().c_str());
        delete compiled;
        return nullptr;
    }
    return compiled;
}

int zb_re2_size(const zb_re2 *re) { return re->re.ProgramSize(); }

void zb_re2_free(zb_re2 *re) { delete re; }

bool zb_re2_matches(const zb_re2 *re, const char *text, size_t length) {
    return re2::RE2::PartialMatch(re2::StringPiece(text, length), re->re);
}
}
