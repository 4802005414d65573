// The C standard alone has no sockets.
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

CURLcode easel_curl_set_callbacks(
    CURL *handle, easel_curl_bytes head, easel_curl_bytes body, easel_curl_ready ready, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, head);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, ready);
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

static bool opens(const easel_curl_opener *opener, const struct sockaddr *address) {
    switch (address->sa_family) {
    case AF_INET:
        return opener->opens(opener->context, &((const struct sockaddr_in *)address)->sin_addr, 4);
    case AF_INET6:
        return opener->opens(opener->context, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
    default:
        return opener->opens(opener->context, NULL, 0);
    }
}

static curl_socket_t open_socket(void *opener, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)purpose;
    if (!opens(opener, &address->addr)) return CURL_SOCKET_BAD;
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    const int descriptor = socket(address->family, address->socktype, address->protocol);
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
#endif
}

CURLcode easel_curl_set_connect_callbacks(CURL *handle, easel_curl_lookup lookup, const easel_curl_opener *opener) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_RESOLVER_START_FUNCTION, lookup);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_RESOLVER_START_DATA, opener->context);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, (void *)opener);
    return code;
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
