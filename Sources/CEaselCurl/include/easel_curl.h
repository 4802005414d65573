/// Typed wrappers for the variadic functions of libcurl, which Swift cannot call. Contains no logic.
#ifndef EASEL_CURL_H
#define EASEL_CURL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

/// CURLAUTH_DIGEST, a macro that Swift does not import.
static const unsigned long easel_curl_digest_authentication = CURLAUTH_DIGEST;

/// The code for a response head that exceeds libcurl's own limits. Named since libcurl 8.6.
#if LIBCURL_VERSION_NUM >= 0x080600
static const CURLcode easel_curl_too_large = CURLE_TOO_LARGE;
#else
static const CURLcode easel_curl_too_large = (CURLcode)100;
#endif

/// libcurl's callbacks for a transfer, in the order in which it calls them.
typedef struct {
    /// The start of a name lookup.
    curl_resolver_start_callback lookup;
    /// The opening of a socket for an address.
    curl_opensocket_callback open;
    /// A connection that is ready to carry the request.
    curl_prereq_callback ready;
    /// A line of the head.
    curl_write_callback head;
    /// Bytes of the body.
    curl_write_callback body;
} easel_curl_callbacks;

CURLcode easel_curl_set_long(CURL *handle, CURLoption option, long value);
CURLcode easel_curl_set_string(CURL *handle, CURLoption option, const char *value);
CURLcode easel_curl_set_pointer(CURL *handle, CURLoption option, void *value);

/// Sets the callbacks of a transfer. They share one context, which is also the transfer's private pointer.
CURLcode easel_curl_set_callbacks(CURL *handle, const easel_curl_callbacks *callbacks, void *context);

/// Restricts a transfer to http and https, by the option that this version of libcurl supports.
CURLcode easel_curl_allow_http_only(CURL *handle);

/// Disables waiting for unneeded name lookups, if libcurl supports it (7.87).
void easel_curl_abandon_lookups(CURL *handle);

/// Returns the bytes of an IPv4 or IPv6 address; NULL and a count of 0 for another family.
const void *easel_curl_address_bytes(const struct curl_sockaddr *address, size_t *count);

/// Opens a socket that child processes do not inherit, since an inherited connection would stay open.
curl_socket_t easel_curl_open_socket(const struct curl_sockaddr *address);

CURLcode easel_curl_get_long(CURL *handle, CURLINFO info, long *value);
/// Reads a time that libcurl measures, such as CURLINFO_CONNECT_TIME_T.
CURLcode easel_curl_get_microseconds(CURL *handle, CURLINFO info, long *value);
CURLcode easel_curl_get_pointer(CURL *handle, CURLINFO info, void **value);

/// Returns whether libcurl was built with a single file of trusted certificates.
bool easel_curl_has_certificate_file(void);

CURLMcode easel_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLSHcode easel_curl_share_data(CURLSH *share, curl_lock_data data);

/// Returns the version of libcurl.
const char *easel_curl_version(void);

#endif
