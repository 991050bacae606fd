#ifdef CALOTYPE_HTTP

#include "CCurlShim.h"

#include <fcntl.h>
#include <sys/socket.h>

/// libcurl's function for opening a socket.
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)context;
    (void)purpose;
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    int descriptor = socket(address->family, address->socktype, address->protocol);
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
#endif
}

CURLcode ccurl_keep_sockets_private(CURL *easy) {
    return (curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
}

#endif
