package import EaselCore

extension HTTPHeaders {
    /// Rejects a method, name or value that HTTP does not allow, so that no value can contain another line (RFC 9110
    /// 5.5, 17.1).
    ///
    /// - Throws: `ImageError.unsupported`.
    package func check(method: String) throws(ImageError) {
        guard Self.isToken(method) else { throw .unsupported("The request's method is not a valid HTTP token.") }
        for field in fields {
            guard Self.isToken(field.name) else {
                throw .unsupported("A header of the request has a name that HTTP does not allow.")
            }
            // The value may be a secret.
            guard Self.isFieldValue(field.value) else {
                throw .unsupported("The request's header \(field.name) has a line break or control character in it.")
            }
        }
    }

    /// Returns whether a text is a token (RFC 9110 5.6.2).
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: "!#$%&'*+.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// Returns whether a text is a field value (RFC 9110 5.5): visible characters, blanks and non-ASCII bytes.
    private static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
    }
}
