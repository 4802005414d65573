import EaselCore
import Foundation

/// One picture that the command was asked for: a URL, a path, or `-` for standard input.
struct ImageInput: Sendable, Hashable {
    /// What the user wrote.
    let text: String
    /// What it means: http, https, file, data, or `standardInput`.
    let url: URL

    /// Stands for the bytes of standard input.
    static let standardInput = URL(filePath: "/dev/stdin")

    /// The schemes that Easel loads.
    private static let schemes: Set<String> = ["http", "https", "file", "data"]

    /// Understands what the user wrote.
    ///
    /// - Throws: `ImageError.invalidURL` for what is empty or malformed: a failed input, not a wrong usage.
    init(_ text: String) throws(ImageError) {
        self.text = text
        url = text == "-" ? Self.standardInput : try Self.url(text)
    }

    private static func url(_ text: String) throws(ImageError) -> URL {
        guard text.contains(where: { !$0.isWhitespace }) else { throw .invalidURL("This input is empty.") }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw .invalidURL("This input has control characters in it.")
        }
        guard let scheme = scheme(of: text) else { return URL(filePath: text) }
        guard schemes.contains(scheme) else { throw .invalidURL("Easel loads no \(scheme): URLs.") }
        guard let url = URL(string: text) else { throw .invalidURL("This is no URL.") }
        if scheme.hasPrefix("http") { try checkAuthority(of: text, url) }
        if scheme == "file", url.path.isEmpty { throw .invalidURL("This file: URL names no file.") }
        return url
    }

    /// The scheme of what is meant as a URL. A path may hold a colon, so only `scheme://`, `data:` and `file:` count.
    private static func scheme(of text: String) -> String? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon].lowercased()
        guard let first = scheme.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
            scheme.utf8.allSatisfy(isSchemeCharacter)
        else { return nil }
        let rest = text[text.index(after: colon)...]
        return rest.hasPrefix("//") || schemes.contains(scheme) ? scheme : nil
    }

    /// RFC 3986 3.1.
    private static func isSchemeCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// Foundation mends some malformed hosts with percent signs; a host with a space in it is a mistake, not a name.
    private static func checkAuthority(of text: String, _ url: URL) throws(ImageError) {
        let start = text.index(text.firstIndex(of: ":") ?? text.startIndex, offsetBy: 1)
        let authority = text[start...].drop { $0 == "/" }.prefix { !"/?#".contains($0) }
        guard text[start...].hasPrefix("//"), let host = url.host(percentEncoded: false), !host.isEmpty,
            !authority.contains(where: \.isWhitespace)
        else { throw .invalidURL("This URL names no host.") }
        if let port = url.port, !(1...65_535).contains(port) { throw .invalidURL("This URL's port is out of range.") }
    }
}

extension ImageInput {
    /// What a person calls it, short and without a query's secrets: the last part of the path, or the host.
    var name: String {
        if url == Self.standardInput { return "stdin" }
        if url.scheme == "data" { return "data" }
        let last = url.lastPathComponent
        return last.isEmpty || last == "/" ? url.host() ?? text : last
    }
}
