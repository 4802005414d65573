/// What Swift cannot call by itself: libcurl's variadic functions, one typed function for each kind of argument. No logic
/// lives here.
#ifndef EASEL_CURL_H
#define EASEL_CURL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

/// A macro that Swift cannot read.
static const unsigned long easel_curl_digest_authentication = CURLAUTH_DIGEST;

/// libcurl's callback for bytes, of the body and of the head alike.
typedef size_t (*easel_curl_bytes)(char *bytes, size_t size, size_t count, void *context);
/// libcurl's callback for a connection that is ready to carry the request.
typedef int (*easel_curl_ready)(
    void *context, char *remote, char *local, int remote_port, int local_port);

/// libcurl's callback for a socket that it wants to hear of, or does not any more (`curl_socket_callback`).
typedef int (*easel_curl_socket)(CURL *handle, curl_socket_t socket, int what, void *context, void *unused);
/// libcurl's callback for the time after which it wants to be called; negative for never.
typedef int (*easel_curl_timer)(CURLM *multi, long milliseconds, void *context);
/// libcurl's callback that closes a socket.
typedef int (*easel_curl_close)(void *context, curl_socket_t socket);

/// Asks whether a socket may be connected to an address of `count` bytes.
typedef struct {
    bool (*allows)(void *context, const void *bytes, size_t count);
    void *context;
} easel_curl_address_check;

CURLcode easel_curl_set_long(CURL *handle, CURLoption option, long value);
CURLcode easel_curl_set_string(CURL *handle, CURLoption option, const char *value);
CURLcode easel_curl_set_pointer(CURL *handle, CURLoption option, void *value);

/// Sets the callbacks of a transfer, all with the same context.
CURLcode easel_curl_set_callbacks(
    CURL *handle, easel_curl_bytes head, easel_curl_bytes body, easel_curl_ready ready, void *context);

/// Lets a transfer speak http and https and nothing else, by whichever option this libcurl has for it.
CURLcode easel_curl_allow_http_only(CURL *handle);

/// Asks not to wait for a name lookup that nobody wants any more, where this libcurl (7.87) can.
void easel_curl_abandon_lookups(CURL *handle);

/// Opens a transfer's sockets so that no process which the application starts inherits them: an inherited connection
/// stays open when it is closed here. `check`, which may be NULL and has to live as long as the transfer, is asked before
/// each: it sees the very address that is connected to, whatever a name meant a moment before.
CURLcode easel_curl_keep_sockets(CURL *handle, const easel_curl_address_check *check);

CURLcode easel_curl_get_long(CURL *handle, CURLINFO info, long *value);
/// One of the times that libcurl measures, such as CURLINFO_CONNECT_TIME_T.
CURLcode easel_curl_get_microseconds(CURL *handle, CURLINFO info, long *value);
CURLcode easel_curl_get_pointer(CURL *handle, CURLINFO info, void **value);

/// Whether libcurl was built with one file of certificates to trust.
bool easel_curl_has_certificate_file(void);

CURLMcode easel_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);
/// Sets who is told of sockets and times, both with the same context.
CURLMcode easel_curl_multi_set_callbacks(
    CURLM *multi, easel_curl_socket socket, easel_curl_timer timer, void *context);

/// Sets who closes the sockets of the connections that this transfer makes, however long they are kept.
CURLcode easel_curl_set_close(CURL *handle, easel_curl_close close, void *context);

/// Closes a socket. Returns 0, or -1 with errno.
int easel_curl_close_socket(curl_socket_t socket);

/// Holds back SIGPIPE, which TLS libraries raise by writing to a closed connection, from the calling thread. Returns whether it was
/// not held back before, and `easel_curl_drop_pipe_signal` has to follow.
bool easel_curl_hold_pipe_signal(void);

/// Forgets a SIGPIPE that was held back, and lets others come again.
void easel_curl_drop_pipe_signal(void);

CURLSHcode easel_curl_share_data(CURLSH *share, curl_lock_data data);

#endif
