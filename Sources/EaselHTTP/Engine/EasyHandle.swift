internal import CEaselCurl

/// One of libcurl's easy handles, owned.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    /// libcurl's description of what failed in the transfer.
    let message = ErrorMessage()

    /// Returns `nil` if there is no memory left.
    init?() {
        guard let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
    }

    deinit { curl_easy_cleanup(pointer) }

    // Options fail only for want of memory, or where an older libcurl does not know them; the one that matters either
    // way is the URL, and a transfer without it fails.

    func set(_ option: CURLoption, _ value: Int) { easel_curl_set_long(pointer, option, value) }
    func set(_ option: CURLoption, _ value: Bool) { easel_curl_set_long(pointer, option, value ? 1 : 0) }
    func set(_ option: CURLoption, _ value: String?) { easel_curl_set_string(pointer, option, value) }
    func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) { easel_curl_set_pointer(pointer, option, value) }

    func long(_ information: CURLINFO) -> Int {
        var value = 0
        easel_curl_get_long(pointer, information, &value)
        return value
    }

    /// How long it took to connect, TLS included; `nil` over a kept connection.
    var connectTime: Duration? {
        guard long(CURLINFO_NUM_CONNECTS) > 0 else { return nil }
        let times = [CURLINFO_CONNECT_TIME_T, CURLINFO_APPCONNECT_TIME_T].map { information in
            var value = 0
            easel_curl_get_microseconds(pointer, information, &value)
            return value
        }
        // Without TLS the second is 0.
        return .microseconds(times.max() ?? 0)
    }
}
