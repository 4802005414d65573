import EaselFoundation

/// The first part of a file whose download was interrupted, with the validator of its version (RFC 9110 14).
///
/// Bytes of two versions are never joined: the request for the remainder has a strong validator, and the response has
/// to name the same one.
struct PartialDownload: Sendable {
    /// The stored fields of the response that began the file.
    let response: StoredResponse
    /// The length of the complete file, if known.
    let total: Int?
    /// The bytes that have arrived.
    let body: Data

    /// The relation of a response to a part.
    enum Verdict: Sendable, Hashable {
        /// The body is the remainder.
        case continues
        /// The body is the complete file, of this version or of another.
        case whole
        /// The response does not fit the part: the complete file must be requested.
        case startOver
        /// The response is an error or a redirect.
        case unrelated
    }

    init(response: StoredResponse, total: Int?, body: Data) {
        self.response = response
        self.total = total
        self.body = body
    }

    /// Creates the first part of `response`; `nil` if it could not be resumed.
    init?(beginning body: Data, of response: HTTPResponse, stored: StoredResponse) {
        guard response.status == 200, Self.isPlain(response.headers), stored.strongValidator != nil, !body.isEmpty,
            response.headers["Accept-Ranges"]?.lowercased() != "none", !stored.directives.noStore
        else { return nil }
        self.init(response: stored, total: response.bodyLength, body: body)
    }

    /// Returns `request` for the remainder only, unless the file has changed (`If-Range`, RFC 9110 13.1.5). Unchanged
    /// if it has another URL than the part, or a range already.
    func addRange(to request: HTTPRequest) -> HTTPRequest {
        guard StoredResponse.location(of: request.url) == response.location, request.headers["Range"] == nil,
            let validator = response.strongValidator, !body.isEmpty, total.map({ body.count < $0 }) ?? true
        else { return request }
        var request = request
        request.headers["Range"] = "bytes=\(body.count)-"
        request.headers["If-Range"] = validator
        return request
    }

    /// Returns the relation of a response to this part.
    func evaluate(_ response: HTTPResponse) -> Verdict {
        switch response.status {
        case 206: isContinued(by: response.headers) ? .continues : .startOver
        case 416: .startOver
        case 200..<300: .whole
        default: .unrelated
        }
    }

    /// Returns the length of the complete file, if known, after a response that continues this part.
    func total(with response: HTTPResponse) -> Int? {
        response.headers["Content-Range"].flatMap { ContentRange($0) }?.total ?? total
    }

    private func isContinued(by headers: HTTPHeaders) -> Bool {
        guard Self.isPlain(headers), headers.all("Content-Range").count == 1,
            let range = headers["Content-Range"].flatMap({ ContentRange($0) }), range.first == body.count,
            // The remainder, and not a part of it.
            range.total == nil || range.last + 1 == range.total,
            range.total == nil || total == nil || range.total == total
        else { return false }
        // Some servers do not name the version, as they must (15.3.7). They are assumed to support `If-Range`.
        if let tag = headers["ETag"] { return tag == response.strongValidator }
        if let date = headers["Last-Modified"], response.entityTag == nil { return date == response.strongValidator }
        return true
    }

    /// Returns whether the body is not compressed: a range counts the bytes that are sent, and the part those that were
    /// decoded.
    private static func isPlain(_ headers: HTTPHeaders) -> Bool {
        headers.all("Content-Encoding").allSatisfy { $0.lowercased() == "identity" }
    }
}

/// The part of a file that a response contains: `Content-Range: bytes 200-999/1000` (RFC 9110 14.4).
private struct ContentRange {
    let first: Int
    let last: Int
    /// The length of the complete file, if known.
    let total: Int?

    /// Returns `nil` if the field is malformed, contradicts itself, or has another unit.
    init?(_ text: String) {
        let parts = text.split { " -/".contains($0) }
        guard parts.count == 4, parts[0].lowercased() == "bytes", let first = Int(parts[1]), let last = Int(parts[2]),
            first <= last
        else { return nil }
        (self.first, self.last, total) = (first, last, Int(parts[3]))
        guard parts[3] == "*" || total.map({ last < $0 }) == true else { return nil }
    }
}
