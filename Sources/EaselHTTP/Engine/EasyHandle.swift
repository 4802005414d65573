internal import CEaselCurl

/// A libcurl easy handle, with the memory that libcurl accesses during a transfer.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private let message: UnsafeMutablePointer<CChar>
    private var headers: UnsafeMutablePointer<curl_slist>?

    /// Returns `nil` if memory runs out.
    init?(headers lines: [String]) {
        guard let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        for line in lines {
            guard let longer = curl_slist_append(headers, line) else { return nil }
            headers = longer
        }
        set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(message))
        set(CURLOPT_HTTPHEADER, UnsafeMutableRawPointer(headers))
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(headers)
        message.deallocate()
    }

    // Options fail only if memory runs out or an older libcurl lacks them. Only the URL is required.

    func set(_ option: CURLoption, _ value: Int) { easel_curl_set_long(pointer, option, value) }
    func set(_ option: CURLoption, _ value: Bool) { easel_curl_set_long(pointer, option, value ? 1 : 0) }
    func set(_ option: CURLoption, _ value: String?) { easel_curl_set_string(pointer, option, value) }
    func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) { easel_curl_set_pointer(pointer, option, value) }

    func long(_ information: CURLINFO) -> Int {
        var value = 0
        easel_curl_get_long(pointer, information, &value)
        return value
    }

    /// libcurl's description of the failure; empty if there is none.
    var failureText: String { String(cString: message) }

    /// The time to connect, TLS included; `nil` for a reused connection.
    var connectTime: Duration? {
        guard long(CURLINFO_NUM_CONNECTS) > 0 else { return nil }
        let times = [CURLINFO_CONNECT_TIME_T, CURLINFO_APPCONNECT_TIME_T].map { information in
            var value = 0
            easel_curl_get_microseconds(pointer, information, &value)
            return value
        }
        // The second time is 0 without TLS.
        return .microseconds(times.max() ?? 0)
    }
}
