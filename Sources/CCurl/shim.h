#ifndef ZB_CCURL_SHIM_H
#define ZB_CCURL_SHIM_H
#include <curl/curl.h>

/* curl_easy_setopt and its kin are variadic, which Swift cannot call: one function per argument kind. */
#pragma clang assume_nonnull begin
static inline CURLcode zb_curl_set_long(CURL *h, CURLoption o, long v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode zb_curl_set_offset(CURL *h, CURLoption o, curl_off_t v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode zb_curl_set_string(CURL *h, CURLoption o, const char *_Nullable v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode zb_curl_set_pointer(CURL *h, CURLoption o, void *_Nullable v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode zb_curl_set_list(CURL *h, CURLoption o, struct curl_slist *_Nullable v) { return curl_easy_setopt(h, o, v); }
typedef size_t (*zb_curl_data_callback)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);
static inline CURLcode zb_curl_set_callback(CURL *h, CURLoption o, zb_curl_data_callback _Nullable v) { return curl_easy_setopt(h, o, v); }
typedef int (*zb_curl_progress_callback)(void *_Nullable context, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
static inline CURLcode zb_curl_set_progress(CURL *h, CURLoption o, zb_curl_progress_callback _Nullable v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode zb_curl_get_long(CURL *h, CURLINFO i, long *v) { return curl_easy_getinfo(h, i, v); }
static inline CURLcode zb_curl_get_socket(CURL *h, CURLINFO i, curl_socket_t *v) { return curl_easy_getinfo(h, i, v); }
static inline CURLcode zb_curl_get_pointer(CURL *h, CURLINFO i, void *_Nullable *_Nonnull v) { return curl_easy_getinfo(h, i, v); }
static inline CURLMcode zb_curl_multi_set_long(CURLM *m, CURLMoption o, long v) { return curl_multi_setopt(m, o, v); }
static inline CURLcode zb_curl_message_result(const CURLMsg *m) { return m->data.result; }
#pragma clang assume_nonnull end
#endif
