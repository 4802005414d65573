// The C standard alone has no sockets.
#define _POSIX_C_SOURCE 200809L

#include "easel_curl.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

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

static bool is_allowed(const easel_curl_address_check *check, const struct sockaddr *address) {
    switch (address->sa_family) {
    case AF_INET:
        return check->allows(check->context, &((const struct sockaddr_in *)address)->sin_addr, 4);
    case AF_INET6:
        return check->allows(check->context, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
    default:
        return false;
    }
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)purpose;
    if (context && !is_allowed(context, &address->addr)) return CURL_SOCKET_BAD;
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    const int descriptor = socket(address->family, address->socktype, address->protocol);
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
#endif
}

CURLcode easel_curl_keep_sockets(CURL *handle, const easel_curl_address_check *check) {
    const CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, (void *)check) : code;
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

CURLMcode easel_curl_multi_set_callbacks(
    CURLM *multi, easel_curl_socket socket, easel_curl_timer timer, void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
    if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
    return code;
}

CURLcode easel_curl_set_close(CURL *handle, easel_curl_close close, void *context) {
    const CURLcode code = curl_easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, close);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_CLOSESOCKETDATA, context) : code;
}

int easel_curl_close_socket(curl_socket_t socket) { return close(socket); }

bool easel_curl_hold_pipe_signal(void) {
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    return pthread_sigmask(SIG_BLOCK, &signals, &before) == 0 && sigismember(&before, SIGPIPE) == 0;
}

void easel_curl_drop_pipe_signal(void) {
    sigset_t signals;
    int signal = 0;
    // One that came of our writing was sent to this thread, and must not be there when the thread takes signals again.
    if (sigpending(&signals) == 0 && sigismember(&signals, SIGPIPE) == 1) {
        sigemptyset(&signals);
        sigaddset(&signals, SIGPIPE);
        sigwait(&signals, &signal);
    }
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}
