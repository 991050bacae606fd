/// libcurl, with one wrapper of its variadic functions for each type of argument, because Swift cannot call variadic
/// functions.
///
/// Setters return `CURLE_OK` or the reason why the option was refused. Getters return zero or NULL for unknown values.
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <curl/curl.h>

// The parentheses avoid the macros of the same names in curl.h, which only check constant arguments.

static inline CURLcode ccurl_set_number(CURL *easy, CURLoption option, long value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// Sets a text, which libcurl copies. NULL resets the option.
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// Sets a pointer, for example to a list of headers. The caller keeps ownership, and the target must stay in place.
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// Sets the callback for `CURLOPT_WRITEFUNCTION` or `CURLOPT_HEADERFUNCTION`, which have the same type.
static inline CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, curl_write_callback receiver) {
    return (curl_easy_setopt)(easy, option, receiver);
}

/// Sets the callback that opens sockets. Its context is `CURLOPT_OPENSOCKETDATA`.
static inline CURLcode ccurl_set_socket_opener(CURL *easy, curl_opensocket_callback opener) {
    return (curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, opener);
}

/// Sets the callback that libcurl calls before each request, on new and on reused connections. Its context is
/// `CURLOPT_PREREQDATA`.
static inline CURLcode ccurl_set_request_gate(CURL *easy, curl_prereq_callback gate) {
    return (curl_easy_setopt)(easy, CURLOPT_PREREQFUNCTION, gate);
}

/// Opens a socket that is closed in child processes.
curl_socket_t ccurl_open_socket(const struct curl_sockaddr *address);

/// Returns the bytes of an IP address within `address`, in network order. Sets `count` to 4 or 16, or to 0 for another
/// kind of address.
const unsigned char *ccurl_address_bytes(const struct curl_sockaddr *address, int *count);

/// Returns the port of an IP address, or 0 for another kind of address.
int ccurl_address_port(const struct curl_sockaddr *address);

static inline long ccurl_number(CURL *easy, CURLINFO info) {
    long value = 0;
    return (curl_easy_getinfo)(easy, info, &value) == CURLE_OK ? value : 0;
}

/// Returns a size in bytes or a time in microseconds.
static inline curl_off_t ccurl_offset(CURL *easy, CURLINFO info) {
    curl_off_t value = 0;
    return (curl_easy_getinfo)(easy, info, &value) == CURLE_OK ? value : 0;
}

/// Returns a text that belongs to the handle and is valid until the handle is reused.
static inline const char *ccurl_text(CURL *easy, CURLINFO info) {
    const char *value = NULL;
    return (curl_easy_getinfo)(easy, info, &value) == CURLE_OK ? value : NULL;
}

/// Returns the value of `CURLOPT_PRIVATE`.
static inline void *ccurl_context(CURL *easy) {
    char *value = NULL;
    return (curl_easy_getinfo)(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

static inline CURLMcode ccurl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}

/// Returns the version of libcurl in use as text.
static inline const char *ccurl_version(void) {
    return curl_version_info(CURLVERSION_NOW)->version;
}

/// Returns the version of libcurl in use as a number with one byte for each of its three parts: 0x075801 for 7.88.1.
static inline unsigned int ccurl_version_number(void) {
    return curl_version_info(CURLVERSION_NOW)->version_num;
}

#endif
