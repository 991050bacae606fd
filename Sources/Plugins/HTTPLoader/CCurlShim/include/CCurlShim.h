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

/// Sets what opens the sockets of a transfer; its context is `CURLOPT_OPENSOCKETDATA`.
static inline CURLcode ccurl_set_socket_opener(CURL *easy, curl_opensocket_callback opener) {
    return (curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, opener);
}

/// Sets what is asked before each request, on new connections and on those used again; its context is
/// `CURLOPT_PREREQDATA`.
static inline CURLcode ccurl_set_request_gate(CURL *easy, curl_prereq_callback gate) {
    return (curl_easy_setopt)(easy, CURLOPT_PREREQFUNCTION, gate);
}

/// Opens a socket that is closed in programs that the process starts.
curl_socket_t ccurl_open_socket(const struct curl_sockaddr *address);

/// The bytes of an IP address, in network order, inside of `address`; `count` becomes 4 or 16, or 0 for an address of
/// another kind.
const unsigned char *ccurl_address_bytes(const struct curl_sockaddr *address, int *count);

/// The port of an IP address; 0 for an address of another kind.
int ccurl_address_port(const struct curl_sockaddr *address);

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
