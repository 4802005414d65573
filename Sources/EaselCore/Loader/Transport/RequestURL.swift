/// A URL as a transport sends it: one that the HTTP client below, the loader and a person read alike.
///
/// It stays as it was given but for the user and password, which are cut out: a header carries them, so that they can
/// be kept from other hosts (S084 and B109 depend on it).
package struct RequestURL: Sendable, Hashable {
    /// Without user and password.
    package let text: String
    /// Host and, where it is given, port: for texts that a person reads.
    package let host: String
    /// Whether it begins with `https:`.
    package let isSecure: Bool

    /// - Throws: `ImageError.invalidURL` for anything but an absolute, percent-encoded http or https URL.
    package init(_ url: String) throws(ImageError) {
        let bytes = url.utf8
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalidURL("The URL has a character that must be percent-encoded.")
        }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
            throw .invalidURL("The URL has no scheme.")
        }
        switch url[..<colon].lowercased() {
        case "http": isSecure = false
        case "https": isSecure = true
        default: throw .invalidURL("The URL is neither http nor https.")
        }
        // HTTP clients would also take one slash, or three.
        let rest = bytes[colon...].dropFirst()
        guard rest.starts(with: "//".utf8) else { throw .invalidURL("The URL lacks // before its host.") }
        let authority = rest.dropFirst(2).prefix { byte in
            byte != UInt8(ascii: "/") && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
        }
        let hostAndPort = authority[authority.afterUserInformation...]
        guard let first = hostAndPort.first, first != UInt8(ascii: ":") else {
            throw .invalidURL("The URL has no host.")
        }
        // Some readers take a backslash for a slash, and so see another host.
        guard !authority.contains(UInt8(ascii: "\\")) else {
            throw .invalidURL("The URL's host has a backslash in it.")
        }
        host = String(Substring(hostAndPort))
        text =
            hostAndPort.startIndex == authority.startIndex
            ? url
            : String(url[..<authority.startIndex] + url[hostAndPort.startIndex...])
    }
}

extension Substring.UTF8View {
    /// Where the host begins: behind the last `@`, as every `@` before it belongs to the password.
    fileprivate var afterUserInformation: Index {
        lastIndex(of: UInt8(ascii: "@")).map(index(after:)) ?? startIndex
    }
}
