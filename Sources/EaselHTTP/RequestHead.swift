internal import EaselCore

/// Method and header lines as libcurl gets them: checked, so that none can smuggle in another (RFC 9110 5.5, 17.1).
struct RequestHead: Sendable, Hashable {
    /// As given.
    let method: String
    /// As given.
    let headers: HTTPHeaders
    /// In libcurl's notation: `Name: value`, and `Name;` for an empty value.
    let lines: [String]

    /// - Throws: `ImageError.unsupported` for a method, name or value that HTTP cannot carry.
    init(method: String, headers: HTTPHeaders) throws(ImageError) {
        try headers.check(method: method)
        self.method = method
        self.headers = headers
        var lines: [String] = []
        for field in headers.fields {
            let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            lines.append(isBlank ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        // Images are compressed already; a second time costs both sides and hides the body's length.
        if headers["Accept-Encoding"] == nil { lines.append("Accept-Encoding: identity") }
        // Headers are sent as they stand, so that libcurl must not add `Accept: */*`.
        if headers["Accept"] == nil { lines.append("Accept:") }
        self.lines = lines
    }
}
