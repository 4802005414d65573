internal import CEaselCurl

/// A list of header lines in libcurl's form, owned: libcurl reads it for as long as the transfer runs.
final class HeaderList {
    let first: UnsafeMutablePointer<curl_slist>?

    /// `nil` where there is no memory left.
    init?(_ lines: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = curl_slist_append(list, line) else {
                curl_slist_free_all(list)
                return nil
            }
            list = longer
        }
        first = list
    }

    deinit { curl_slist_free_all(first) }
}

/// Where libcurl writes what went wrong, in words.
final class ErrorMessage {
    let buffer: UnsafeMutablePointer<CChar>

    init() {
        buffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        buffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit { buffer.deallocate() }

    /// Empty where libcurl had nothing to say.
    var text: String { String(cString: buffer) }
}
