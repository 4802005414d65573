internal import EaselCore

/// The method and header lines for libcurl, validated against header injection (RFC 9110 5.5, 17.1).
struct RequestHead: Sendable, Hashable {
    /// The method, unchanged.
    let method: String
    /// The headers, unchanged.
    let headers: HTTPHeaders
    /// The lines in libcurl's notation: `Name: value`, and `Name;` for an empty value.
    let lines: [String]

    /// - Throws: `ImageError.unsupported` for a method, name or value that is invalid in HTTP.
    init(method: String, headers: HTTPHeaders) throws(ImageError) {
        try headers.check(method: method)
        self.method = method
        self.headers = headers
        var lines: [String] = []
        for field in headers.fields {
            let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            lines.append(isBlank ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        // Images are already compressed. Compressing them again wastes time and hides the length of the body.
        if headers["Accept-Encoding"] == nil { lines.append("Accept-Encoding: identity") }
        // Prevents libcurl from adding `Accept: */*`.
        if headers["Accept"] == nil { lines.append("Accept:") }
        self.lines = lines
    }
}
