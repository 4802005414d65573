import EaselFoundation

/// The first part of a file whose download broke off, with what names the version that it is of (RFC 9110 14).
///
/// A pure value: it says what to ask for, and whether an answer goes on where it ends. Bytes of two versions never meet:
/// only a strong validator is asked with, and the answer has to name the same one.
struct PartialDownload: Sendable {
    /// What is remembered of the answer that began it.
    let response: StoredResponse
    /// Bytes of the whole, where the server said.
    let total: Int?
    /// What has come.
    var body: Data

    /// What an answer to `asking` means.
    enum Verdict: Sendable, Hashable {
        /// Its body is the rest.
        case continues
        /// Its body is the whole, of this version or of another.
        case whole
        /// It is of no use together with this part: forget the part, and ask for the whole.
        case startOver
        /// It says nothing of the file: an error, a redirect.
        case unrelated
    }

    init(response: StoredResponse, total: Int?, body: Data) {
        self.response = response
        self.total = total
        self.body = body
    }

    /// The beginning of `answer`, if it could be continued one day (B82).
    init?(beginning body: Data, of answer: HTTPResponse, remembered response: StoredResponse) {
        guard answer.status == 200, Self.isPlain(answer.headers), response.strongValidator != nil, !body.isEmpty,
            answer.headers["Accept-Ranges"]?.lowercased() != "none",
            // One that is not to be kept is not kept in parts either.
            !response.directives.noStore
        else { return nil }
        self.init(response: response, total: answer.bodyLength, body: body)
    }

    /// `request` for the rest alone, unless the file has changed (`If-Range`, RFC 9110 13.1.5). Unchanged where it goes to
    /// another URL than the one that gave the part, or asks for a part already.
    func asking(_ request: HTTPRequest) -> HTTPRequest {
        guard ResponseLocation(url: request.url) == response.location, request.headers["Range"] == nil,
            let validator = response.strongValidator, !body.isEmpty, total.map({ body.count < $0 }) ?? true
        else { return request }
        var request = request
        request.headers["Range"] = "bytes=\(body.count)-"
        request.headers["If-Range"] = validator
        return request
    }

    /// What `answer` means, where it is one to `asking`.
    func verdict(_ answer: HTTPResponse) -> Verdict {
        switch answer.status {
        case 206: isContinued(by: answer.headers) ? .continues : .startOver
        case 416: .startOver
        case 200..<300: .whole
        default: .unrelated
        }
    }

    /// Bytes of the whole, once `answer` continues this part.
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
        // It has to say which version it is of (15.3.7), but some leave that out: then `If-Range` has to be trusted.
        if let tag = headers["ETag"] { return tag == response.strongValidator }
        if let date = headers["Last-Modified"], response.entityTag == nil { return date == response.strongValidator }
        return true
    }

    /// Whether the bytes are those of the file: a range counts what is sent, and we count what was decoded.
    private static func isPlain(_ headers: HTTPHeaders) -> Bool {
        headers.all("Content-Encoding").allSatisfy { $0.lowercased() == "identity" }
    }
}
