import EaselFoundation

/// The first part of a file whose download was interrupted, with the validator of its version (RFC 9110 14).
///
/// Bytes of two versions are never joined: the request for the rest has a strong validator, and the response has to name the same one.
struct PartialDownload: Sendable {
    /// The stored fields of the response that began it.
    let response: StoredResponse
    /// Bytes of the whole, if known.
    let total: Int?
    /// The bytes that have arrived.
    var body: Data

    /// The meaning of a response to `asking`.
    enum Verdict: Sendable, Hashable {
        /// The body is the rest.
        case continues
        /// The body is the whole, of this version or of another.
        case whole
        /// It does not fit this part: remove the part, and request the whole.
        case startOver
        /// It is an error or a redirect.
        case unrelated
    }

    init(response: StoredResponse, total: Int?, body: Data) {
        self.response = response
        self.total = total
        self.body = body
    }

    /// The beginning of `answer`, if it could be resumed.
    init?(beginning body: Data, of answer: HTTPResponse, remembered response: StoredResponse) {
        guard answer.status == 200, Self.isPlain(answer.headers), response.strongValidator != nil, !body.isEmpty,
            answer.headers["Accept-Ranges"]?.lowercased() != "none",
            !response.directives.noStore
        else { return nil }
        self.init(response: response, total: answer.bodyLength, body: body)
    }

    /// `request` for the rest alone, unless the file has changed (`If-Range`, RFC 9110 13.1.5). Unchanged if it has another URL than the
    /// part, or a range already.
    func asking(_ request: HTTPRequest) -> HTTPRequest {
        guard ResponseLocation(url: request.url) == response.location, request.headers["Range"] == nil,
            let validator = response.strongValidator, !body.isEmpty, total.map({ body.count < $0 }) ?? true
        else { return request }
        var request = request
        request.headers["Range"] = "bytes=\(body.count)-"
        request.headers["If-Range"] = validator
        return request
    }

    /// The meaning of a response to `asking`.
    func verdict(_ answer: HTTPResponse) -> Verdict {
        switch answer.status {
        case 206: isContinued(by: answer.headers) ? .continues : .startOver
        case 416: .startOver
        case 200..<300: .whole
        default: .unrelated
        }
    }

    /// Bytes of the whole, if `answer` continues this part.
    func total(with answer: HTTPResponse) -> Int? {
        answer.headers["Content-Range"].flatMap { ContentRange($0) }?.total ?? total
    }

    private func isContinued(by headers: HTTPHeaders) -> Bool {
        guard Self.isPlain(headers), headers.all("Content-Range").count == 1,
            let range = headers["Content-Range"].flatMap({ ContentRange($0) }), range.first == body.count,
            // The rest, and not a part of it.
            range.total == nil || range.last + 1 == range.total,
            range.total == nil || total == nil || range.total == total
        else { return false }
        // It has to name its version (15.3.7), but some servers do not: then `If-Range` has to be trusted.
        if let tag = headers["ETag"] { return tag == response.strongValidator }
        if let date = headers["Last-Modified"], response.entityTag == nil { return date == response.strongValidator }
        return true
    }

    /// Whether the bytes are those of the file: a range counts the bytes that are sent, the part those that were decoded.
    private static func isPlain(_ headers: HTTPHeaders) -> Bool {
        headers.all("Content-Encoding").allSatisfy { $0.lowercased() == "identity" }
    }
}

/// `Content-Range: bytes 200-999/1000` (RFC 9110 14.4): the part of a file that a response holds.
struct ContentRange: Sendable, Hashable {
    let first: Int
    let last: Int
    /// Bytes of the whole, if known.
    let total: Int?

    /// `nil` if it is malformed, contradicts itself, or has another unit.
    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last else {
            return nil
        }
        if sides[1] == "*" {
            total = nil
        } else {
            guard let total = Self.number(sides[1]), last < total else { return nil }
            self.total = total
        }
        self.first = first
        self.last = last
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }
}
