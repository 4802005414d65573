internal import EaselCore

/// The head of an answer, and what it says about the body.
struct ResponseHead: Sendable, Hashable {
    /// Three digits.
    var status: Int
    /// `HTTP/1.1` or `HTTP/2`.
    var version: String
    /// As sent.
    var headers = HTTPHeaders(capacity: 12)

    /// How long it took to connect; `nil` over a kept connection.
    var connectTime: Duration?

    /// The bytes that the body has as they travel; `nil` where the head does not say.
    var contentLength: Int?

    /// The body's length once decoded, where the head tells.
    func bodyLength(method: String) -> Int? {
        if method == "HEAD" || status == 204 || status == 304 { return 0 }
        return contentCoding == .identity ? contentLength : nil
    }

    /// What was done to the body before it was sent (RFC 9110 8.4), once all fields are there.
    private(set) var contentCoding = ContentCoding.identity

    private var namedCoding: ContentCoding {
        let names = headers.list("Content-Encoding").map { $0.lowercased() }.filter { $0 != "identity" }
        guard let name = names.first else { return .identity }
        guard names.count == 1 else { return .unknown(names.joined(separator: ", ")) }
        return switch name {
        case "gzip", "x-gzip": .gzip
        case "deflate": .deflate
        default: .unknown(name)
        }
    }

    /// Reads what the fields say about the body's bounds, once all fields are there.
    ///
    /// - Throws: `ImageError.invalidResponse` for a form that was never asked for, and for lengths that are no number
    ///   or contradict each other: two readers would cut the body at different places (RFC 9112 6.3).
    mutating func readFraming() throws(ImageError) {
        contentCoding = namedCoding
        guard status != 101 else { throw .invalidResponse("it switches to another protocol unasked.") }
        // libcurl would undo others by itself, past our bounds.
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

/// A content coding that an answer names.
enum ContentCoding: Sendable, Hashable {
    case identity
    case gzip
    /// zlib's format by the standard, raw deflate from some servers.
    case deflate
    /// Not known here: its name, in lower case.
    case unknown(String)
}

extension HTTPHeaders {
    /// The members of a field that is a list, from all of its lines (RFC 9110 5.6.1).
    fileprivate func list(_ name: String) -> [Substring] {
        var members: [Substring] = []
        for value in all(name) {
            // Almost every line has one member, and then nothing has to be taken apart.
            let parts = value.utf8.contains(UInt8(ascii: ",")) ? value.split(separator: ",") : [value[...]]
            for part in parts where !part.trimmingBlanks.isEmpty { members.append(part.trimmingBlanks) }
        }
        return members
    }
}

extension Substring {
    /// Without blanks and tabs around it.
    var trimmingBlanks: Substring {
        var rest = drop { $0 == " " || $0 == "\t" }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return rest
    }
}
