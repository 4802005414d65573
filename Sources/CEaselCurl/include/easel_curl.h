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

/// libcurl's callbacks for a transfer, in the order in which it calls them.
typedef struct {
    /// A name lookup begins.
    curl_resolver_start_callback lookup;
    /// A socket is opened for an address.
    curl_opensocket_callback open;
    /// A connection is ready to carry the request.
    curl_prereq_callback ready;
    /// A line of the head has arrived.
    curl_write_callback head;
    /// Bytes of the body have arrived.
    curl_write_callback body;
} easel_curl_callbacks;

CURLcode easel_curl_set_long(CURL *handle, CURLoption option, long value);
CURLcode easel_curl_set_string(CURL *handle, CURLoption option, const char *value);
CURLcode easel_curl_set_pointer(CURL *handle, CURLoption option, void *value);

/// Sets the callbacks of a transfer, all with the same context, which is the transfer's private pointer too.
CURLcode easel_curl_set_callbacks(CURL *handle, const easel_curl_callbacks *callbacks, void *context);

/// Lets a transfer speak http and https and nothing else, by whichever option this libcurl has for it.
CURLcode easel_curl_allow_http_only(CURL *handle);

/// Asks not to wait for a name lookup that nobody wants any more, where this libcurl (7.87) can.
void easel_curl_abandon_lookups(CURL *handle);

/// The bytes of an IPv4 or IPv6 address; NULL and a count of 0 for another family.
const void *easel_curl_address_bytes(const struct curl_sockaddr *address, size_t *count);

/// Opens a socket that child processes do not inherit: an inherited connection stays open when it is closed here.
curl_socket_t easel_curl_open_socket(const struct curl_sockaddr *address);

CURLcode easel_curl_get_long(CURL *handle, CURLINFO info, long *value);
/// One of the times that libcurl measures, such as CURLINFO_CONNECT_TIME_T.
CURLcode easel_curl_get_microseconds(CURL *handle, CURLINFO info, long *value);
CURLcode easel_curl_get_pointer(CURL *handle, CURLINFO info, void **value);

/// Whether libcurl was built with one file of certificates to trust.
bool easel_curl_has_certificate_file(void);

CURLMcode easel_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLSHcode easel_curl_share_data(CURLSH *share, curl_lock_data data);

#endif
