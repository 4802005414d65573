package import EaselCore

/// The head of a response.
package struct ResponseHead: Sendable, Hashable {
    package var status: Int
    /// `HTTP/1.1` or `HTTP/2`, if known.
    package var version: String?
    package var headers: HTTPHeaders
    /// How long it took to connect; `nil` for a reused connection, or if unknown.
    package var connectTime: Duration?
    /// The number of bytes of the encoded body; `nil` if the head does not state it.
    package var contentLength: Int?
    /// How the body is compressed (RFC 9110 8.4).
    package private(set) var contentCoding = ContentCoding.identity

    package init(status: Int, version: String? = nil, headers: HTTPHeaders = HTTPHeaders()) {
        self.status = status
        self.version = version
        self.headers = headers
    }

    /// Returns the length of the decoded body; `nil` if the head does not state it.
    package func bodyLength(method: String) -> Int? {
        if method == "HEAD" || status == 204 || status == 304 { return 0 }
        return contentCoding == .identity ? contentLength : nil
    }

    /// Reads the coding of the body from the complete fields.
    package mutating func readContentCoding() {
        let names = headers.list("Content-Encoding").map { $0.lowercased() }.filter { $0 != "identity" }
        contentCoding =
            switch names.first {
            case nil: .identity
            case _ where names.count > 1: .unknown(names.joined(separator: ", "))
            case "gzip", "x-gzip": .gzip
            case "deflate": .deflate
            case .some(let name): .unknown(name)
            }
    }

    /// Reads the length and the codings of the body from the complete fields.
    ///
    /// - Throws: `ImageError.invalidResponse` for a transfer coding that the request does not allow, and for malformed
    ///   or contradictory lengths: two readers would end the body at different bytes (RFC 9112 6.3).
    package mutating func readFraming() throws(ImageError) {
        readContentCoding()
        guard status != 101 else { throw .invalidResponse("it switches to another protocol without a request.") }
        // libcurl would decode others, without Easel's limits.
        let codings = headers.list("Transfer-Encoding")
        guard codings.allSatisfy({ $0.lowercased() == "chunked" }) else {
            throw .invalidResponse("it has a transfer coding that was not requested.")
        }
        for value in headers.list("Content-Length") {
            guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(value),
                contentLength == nil || contentLength == number
            else { throw .invalidResponse("its length is ambiguous.") }
            contentLength = number
        }
        if !codings.isEmpty { contentLength = nil }
    }
}

extension HTTPHeaders {
    /// Returns the members of a list field, from all its lines (RFC 9110 5.6.1).
    fileprivate func list(_ name: String) -> [Substring] {
        all(name).flatMap { $0.split(separator: ",") }.map(\.trimmingBlanks).filter { !$0.isEmpty }
    }
}

/// A content coding of a response.
package enum ContentCoding: Sendable, Hashable {
    case identity
    case gzip
    /// The zlib format or, from some servers, raw deflate.
    case deflate
    /// Any other: its name, in lower case.
    case unknown(String)
}

/// A URL for a transport, which every HTTP client reads alike, without user and password.
package struct RequestURL: Sendable, Hashable {
    package let text: String
    /// The host and, if given, the port, for error messages.
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
        // HTTP clients would also accept one slash, or three.
        let rest = bytes[colon...].dropFirst()
        guard rest.starts(with: "//".utf8) else { throw .invalidURL("The URL lacks // before its host.") }
        let authority = rest.dropFirst(2).prefix { byte in
            byte != UInt8(ascii: "/") && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
        }
        let hostAndPort = authority[authority.afterUserInformation...]
        guard let first = hostAndPort.first, first != UInt8(ascii: ":") else {
            throw .invalidURL("The URL has no host.")
        }
        // Some readers treat a backslash as a slash, and so find another host.
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
    /// The start of the host, after the last `@`: earlier ones belong to the password.
    fileprivate var afterUserInformation: Index {
        lastIndex(of: UInt8(ascii: "@")).map(index(after:)) ?? startIndex
    }
}
