/// What Swift cannot call by itself: libcurl's variadic functions, one typed function for each kind of argument. No logic
/// lives here.
#ifndef EASEL_CURL_H
#define EASEL_CURL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

/// A macro that Swift cannot read.
static const unsigned long easel_curl_digest_authentication = CURLAUTH_DIGEST;

/// The code of an answer whose head exceeds libcurl's own limits. libcurl 8.6 gave it a name.
#if LIBCURL_VERSION_NUM >= 0x080600
static const CURLcode easel_curl_too_large = CURLE_TOO_LARGE;
#else
static const CURLcode easel_curl_too_large = (CURLcode)100;
#endif

/// libcurl's callback for bytes, of the body and of the head alike.
typedef size_t (*easel_curl_bytes)(char *bytes, size_t size, size_t count, void *context);
/// libcurl's callback for a connection that is ready to carry the request.
typedef int (*easel_curl_ready)(
    void *context, char *remote, char *local, int remote_port, int local_port);

/// Whether a socket may be connected to an address of `count` bytes; called before each socket is opened.
typedef struct {
    bool (*opens)(void *context, const void *address, size_t count);
    void *context;
} easel_curl_opener;
/// libcurl's callback for a name lookup that begins.
typedef int (*easel_curl_lookup)(void *resolver, void *reserved, void *context);

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

/// Sets what is called before a name is looked up and before a socket is opened, with the opener's context. The opener
/// has to live as long as the transfer. The latter gets the very address that is connected to. No process that the application starts
/// inherits the sockets: an inherited connection stays open when it is closed here.
CURLcode easel_curl_set_connect_callbacks(CURL *handle, easel_curl_lookup lookup, const easel_curl_opener *opener);

CURLcode easel_curl_get_long(CURL *handle, CURLINFO info, long *value);
/// One of the times that libcurl measures, such as CURLINFO_CONNECT_TIME_T.
CURLcode easel_curl_get_microseconds(CURL *handle, CURLINFO info, long *value);
CURLcode easel_curl_get_pointer(CURL *handle, CURLINFO info, void **value);

/// Whether libcurl was built with one file of certificates to trust.
bool easel_curl_has_certificate_file(void);

CURLMcode easel_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLSHcode easel_curl_share_data(CURLSH *share, curl_lock_data data);

#endif
