// The C standard alone has neither threads nor signal masks.
#define _POSIX_C_SOURCE 200809L

#include "easel_curl.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
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

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)context;
    (void)purpose;
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    const int descriptor = socket(address->family, address->socktype, address->protocol);
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
#endif
}

CURLcode easel_curl_keep_sockets(CURL *handle) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket);
}

CURLcode easel_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
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

struct start {
    void (*run)(void *);
    void *context;
};

static void *run_start(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    start.run(start.context);
    return NULL;
}

bool easel_start_thread(void (*run)(void *context), void *context) {
    struct start *start = malloc(sizeof *start);
    if (start == NULL) return false;
    *start = (struct start){run, context};

    // A fault must still reach the handler that prints the crash.
    sigset_t blocked, before;
    sigfillset(&blocked);
    const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&blocked, faults[i]);

    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        free(start);
        return false;
    }
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // The new thread inherits the mask, so that not even its first instruction can be interrupted.
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    pthread_t thread;
    const int failed = pthread_create(&thread, &attributes, run_start, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (failed) free(start);
    return failed == 0;
}
