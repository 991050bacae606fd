/// libcurl, and its variadic functions once for each type of argument: Swift cannot call them as they are.
///
/// Setters return `CURLE_OK` or why the option was not taken; getters return zero, or NULL, for what is not known.
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <curl/curl.h>

// The names stand in parentheses because curl.h has macros of the same names, which check constant arguments alone.

static inline CURLcode ccurl_set_number(CURL *easy, CURLoption option, long value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// libcurl keeps a copy of the text. NULL: as if the option had never been set.
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// What is pointed to, such as a list of headers, stays the caller's and in place.
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// For `CURLOPT_WRITEFUNCTION` and `CURLOPT_HEADERFUNCTION`, whose types are the same.
static inline CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, curl_write_callback receiver) {
    return (curl_easy_setopt)(easy, option, receiver);
}

/// Makes the sockets of a transfer be closed in programs that the process starts.
CURLcode ccurl_keep_sockets_private(CURL *easy);

static inline long ccurl_number(CURL *easy, CURLINFO info) {
    long value = 0;
    return (curl_easy_getinfo)(easy, info, &value) == CURLE_OK ? value : 0;
}

/// For sizes in bytes and times in microseconds.
static inline curl_off_t ccurl_offset(CURL *easy, CURLINFO info) {
    curl_off_t value = 0;
    return (curl_easy_getinfo)(easy, info, &value) == CURLE_OK ? value : 0;
}

/// The handle's: good until it is used again.
static inline const char *ccurl_text(CURL *easy, CURLINFO info) {
    const char *value = NULL;
    return (curl_easy_getinfo)(easy, info, &value) == CURLE_OK ? value : NULL;
}

/// What `CURLOPT_PRIVATE` was set to.
static inline void *ccurl_context(CURL *easy) {
    char *value = NULL;
    return (curl_easy_getinfo)(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

static inline CURLMcode ccurl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}

/// How libcurl's version in use calls itself.
static inline const char *ccurl_version(void) {
    return curl_version_info(CURLVERSION_NOW)->version;
}

/// That version as a number: a byte each for its three parts, 0x075801 for 7.88.1.
static inline unsigned int ccurl_version_number(void) {
    return curl_version_info(CURLVERSION_NOW)->version_num;
}

#endif
