/// The head of a response, and what it states about the body.
package struct ResponseHead: Sendable, Hashable {
    /// Three digits.
    package var status: Int
    /// `HTTP/1.1` or `HTTP/2`; `nil` where the transport does not tell.
    package var version: String?
    /// As sent.
    package var headers: HTTPHeaders
    /// How long it took to connect; `nil` over a kept connection, or where the transport does not tell.
    package var connectTime: Duration?
    /// The number of bytes of the encoded body; `nil` if the head does not state it.
    package var contentLength: Int?
    /// How the body is compressed (RFC 9110 8.4).
    package private(set) var contentCoding = ContentCoding.identity

    package init(status: Int, version: String? = nil, headers: HTTPHeaders = HTTPHeaders(capacity: 12)) {
        self.status = status
        self.version = version
        self.headers = headers
    }

    /// Returns the length of the decoded body; `nil` if the head does not state it.
    package func bodyLength(method: String) -> Int? {
        if method == "HEAD" || status == 204 || status == 304 { return 0 }
        return contentCoding == .identity ? contentLength : nil
    }

    /// Reads the coding of the body from the fields. Call it once all fields are there.
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

    /// Reads the length and the codings of the body from the fields. Call it once all fields are there.
    ///
    /// - Throws: `ImageError.invalidResponse` for a transfer coding that the request does not allow, and for lengths that are
    ///   not a number or contradict each other: two readers would end the body at different bytes (RFC 9112 6.3).
    package mutating func readFraming() throws(ImageError) {
        readContentCoding()
        guard status != 101 else { throw .invalidResponse("it switches to another protocol unasked.") }
        // libcurl would decode others by itself, without our limits.
        let codings = headers.list("Transfer-Encoding")
        guard codings.allSatisfy({ $0.lowercased() == "chunked" }) else {
            throw .invalidResponse("it has a transfer coding that was not asked for.")
        }
        for value in headers.list("Content-Length") {
            guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(value),
                contentLength == nil || contentLength == number
            else { throw .invalidResponse("its length is unclear.") }
            contentLength = number
        }
        if !codings.isEmpty { contentLength = nil }
    }
}

/// A content coding that a response names.
package enum ContentCoding: Sendable, Hashable {
    case identity
    case gzip
    /// zlib's format by the standard, raw deflate from some servers.
    case deflate
    /// Any other: its name, in lower case.
    case unknown(String)
}

extension HTTPHeaders {
    /// Returns the members of a field that is a list, from all of its lines (RFC 9110 5.6.1).
    fileprivate func list(_ name: String) -> [Substring] {
        all(name).flatMap { $0.split(separator: ",") }.map(\.trimmingBlanks).filter { !$0.isEmpty }
    }
}

extension Substring {
    /// The text without the blanks and tabs around it.
    package var trimmingBlanks: Substring {
        var rest = drop { $0 == " " || $0 == "\t" }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return rest
    }
}
