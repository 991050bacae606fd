#ifdef CALOTYPE_HTTP

#include "CCurlShim.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

curl_socket_t ccurl_open_socket(const struct curl_sockaddr *address) {
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    int descriptor = socket(address->family, address->socktype, address->protocol);
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
#endif
}

// libcurl provides space for an address of any family after the general header.

const unsigned char *ccurl_address_bytes(const struct curl_sockaddr *address, int *count) {
    const void *any = &address->addr;
    switch (address->family) {
    case AF_INET:
        *count = 4;
        return (const unsigned char *)&((const struct sockaddr_in *)any)->sin_addr;
    case AF_INET6:
        *count = 16;
        return (const unsigned char *)&((const struct sockaddr_in6 *)any)->sin6_addr;
    default:
        *count = 0;
        return any;
    }
}

int ccurl_address_port(const struct curl_sockaddr *address) {
    const void *any = &address->addr;
    switch (address->family) {
    case AF_INET: return ntohs(((const struct sockaddr_in *)any)->sin_port);
    case AF_INET6: return ntohs(((const struct sockaddr_in6 *)any)->sin6_port);
    default: return 0;
    }
}

#endif
