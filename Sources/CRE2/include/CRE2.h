#ifndef ZB_CRE2_H
#define ZB_CRE2_H
#include <stdbool.h>
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct zb_re2 zb_re2;

/// Compiles a pattern. Returns NULL and writes a NUL-terminated reason into `error` when it is malformed
/// or needs more than `max_memory` bytes.
zb_re2 *_Nullable zb_re2_new(
    const char *_Nonnull pattern, size_t length, long max_memory, char *_Nonnull error, size_t error_size);
/// How many instructions the compiled pattern has: what matching may take for each byte of a text.
int zb_re2_size(const zb_re2 *_Nonnull re);
void zb_re2_free(zb_re2 *_Nonnull re);
/// Whether the pattern matches anywhere in `text`. Linear in the length of `text`.
bool zb_re2_matches(const zb_re2 *_Nonnull re, const char *_Nonnull text, size_t length);

#ifdef __cplusplus
}
#endif
#endif
