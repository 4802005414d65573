// The C standard has no sockets.
#define _POSIX_C_SOURCE 200809L

#include "easel_curl.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

CURLcode easel_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

CURLcode easel_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

CURLcode easel_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

CURLcode easel_curl_set_callbacks(CURL *handle, const easel_curl_callbacks *callbacks, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, callbacks->head);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, callbacks->body);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_RESOLVER_START_FUNCTION, callbacks->lookup);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_RESOLVER_START_DATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callbacks->open);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callbacks->ready);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_PREREQDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_PRIVATE, context);
    return code;
}

CURLcode easel_curl_allow_http_only(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

void easel_curl_abandon_lookups(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
    curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)handle;
#endif
}

const void *easel_curl_address_bytes(const struct curl_sockaddr *address, size_t *count) {
    switch (address->family) {
    case AF_INET:
        *count = 4;
        return &((const struct sockaddr_in *)&address->addr)->sin_addr;
    case AF_INET6:
        *count = 16;
        return &((const struct sockaddr_in6 *)&address->addr)->sin6_addr;
    default:
        *count = 0;
        return NULL;
    }
}

curl_socket_t easel_curl_open_socket(const struct curl_sockaddr *address) {
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    const int descriptor = socket(address->family, address->socktype, address->protocol);
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
#endif
}

CURLcode easel_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

CURLcode easel_curl_get_microseconds(CURL *handle, CURLINFO info, long *value) {
    curl_off_t microseconds = 0;
    const CURLcode code = curl_easy_getinfo(handle, info, &microseconds);
    *value = (long)microseconds;
    return code;
}

CURLcode easel_curl_get_pointer(CURL *handle, CURLINFO info, void **value) {
    return curl_easy_getinfo(handle, info, value);
}

bool easel_curl_has_certificate_file(void) {
    const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
    return info->age >= CURLVERSION_SEVENTH && info->cainfo != NULL;
}

CURLMcode easel_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

CURLSHcode easel_curl_share_data(CURLSH *share, curl_lock_data data) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}

const char *easel_curl_version(void) { return curl_version_info(CURLVERSION_NOW)->version; }
