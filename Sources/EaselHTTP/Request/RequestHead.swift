internal import EaselCore

/// Method and header lines as libcurl gets them: checked, so that none can smuggle in another (RFC 9110 5.5, 17.1).
struct RequestHead: Sendable, Hashable {
    /// As given.
    let method: String
    /// In libcurl's notation: `Name: value`, and `Name;` for an empty value.
    let lines: [String]

    /// - Throws: `ImageError.unsupported` for a method, name or value that HTTP cannot carry.
    init(method: String, headers: HTTPHeaders) throws(ImageError) {
        guard Self.isToken(method) else { throw .unsupported("The request's method is not a word that HTTP allows.") }
        self.method = method
        var lines: [String] = []
        for field in headers.fields {
            guard Self.isToken(field.name) else {
                throw .unsupported("A header of the request has a name that HTTP does not allow.")
            }
            // The value may be a secret: the text tells only the name.
            guard Self.isFieldValue(field.value) else {
                throw .unsupported("The request's header \(field.name) has a line break or control character in it.")
            }
            let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            lines.append(isBlank ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        // Pictures are compressed already; a second time costs both sides and hides the body's length.
        if headers["Accept-Encoding"] == nil { lines.append("Accept-Encoding: identity") }
        // Headers are sent as they stand, so that libcurl must not add `Accept: */*`.
        if headers["Accept"] == nil { lines.append("Accept:") }
        self.lines = lines
    }

    /// RFC 9110 5.6.2.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// RFC 9110 5.5: visible characters, blanks and whatever is not ASCII.
    private static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
    }
}
