import EaselFoundation
import EaselCore

/// The response of a correct server to a request: status, fields and body, before any fault.
struct ServerResponse: Equatable {
    var status: Int
    /// All fields except those that frame the body.
    var headers: HTTPHeaders
    var body: Data
    /// The value of `Content-Length`; `nil` for a response without one (204 and 304).
    var length: Int?
    /// Whether the response has no body: responses to HEAD, 204 and 304 (RFC 9110 6.4.1).
    var isHeadOnly = false

    /// - Parameter body: the response's content, already read, encoded and compressed.
    init(to request: OriginRequest, with response: OriginResponse, body: Data) {
        status = response.status
        headers = response.headers
        self.body = body
        if let authorization = response.authorization, request.headers["Authorization"] != authorization.field {
            self = ServerResponse(status: 401, headers: ["WWW-Authenticate": authorization.challenge])
        } else if status == 200, ["GET", "HEAD"].contains(request.method) {
            // The order of RFC 9110 13.2.2.
            if request.isCurrent(headers) {
                status = 304
            } else {
                applyRange(of: request)
            }
        }
        length = [204, 304].contains(status) ? nil : self.body.count
        isHeadOnly = length == nil || request.method == "HEAD"
        if isHeadOnly { self.body = Data() }
    }

    init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
        length = body.count
    }

    private mutating func applyRange(of request: OriginRequest) {
        if headers["Accept-Ranges"] == nil { headers["Accept-Ranges"] = "bytes" }
        guard let field = request.headers["Range"], headers["Accept-Ranges"] != "none",
            request.allowsRange(of: headers)
        else { return }
        switch ByteRange(field: field, length: body.count) {
        case .part(let range):
            status = 206
            headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)"
            body = Data(body.dropFirst(range.lowerBound).prefix(range.count))
        case .unsatisfiable:
            status = 416
            headers["Content-Range"] = "bytes */\(body.count)"
            headers["Content-Type"] = nil
            body = Data()
        case nil:
            break
        }
    }
}

extension OriginRequest {
    /// Returns whether the client has the current version, for a 304 (RFC 9110 13). `If-Modified-Since` applies only
    /// without `If-None-Match`. Dates are compared as text, since clients return the date that they received.
    func isCurrent(_ response: HTTPHeaders) -> Bool {
        let tags = headers.all("If-None-Match").flatMap { list in
            list.split(separator: ",").map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
        }
        if tags.isEmpty {
            return headers["If-Modified-Since"] != nil && headers["If-Modified-Since"] == response["Last-Modified"]
        }
        guard let tag = response["ETag"] else { return false }
        return tags.contains { $0 == "*" || Self.opaque($0) == Self.opaque(tag) }
    }

    /// Returns whether a range is allowed: without `If-Range`, or if it matches strongly (RFC 9110 13.1.5).
    func allowsRange(of response: HTTPHeaders) -> Bool {
        guard let condition = headers["If-Range"] else { return true }
        return !condition.hasPrefix("W/") && (condition == response["ETag"] || condition == response["Last-Modified"])
    }

    /// Returns a tag without the mark of a weak one, for weak comparison.
    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}

/// A byte range of a `Range` field (RFC 9110 14.2).
enum ByteRange: Equatable {
    /// An existing range (206).
    case part(Range<Int>)
    /// A range outside the body (416).
    case unsatisfiable

    /// Returns `nil` for a field to ignore: malformed, of another unit, or with several ranges.
    init?(field: String, length: Int) {
        guard field.lowercased().hasPrefix("bytes=") else { return nil }
        let ends = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.filter { $0 != " " } }
        guard ends.count == 2, ends.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } }) else { return nil }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, nil) where ends[1].isEmpty:
            self = first < length ? .part(first..<length) : .unsatisfiable
        case (let first?, let last?) where first <= last:
            self = first < length ? .part(first..<min(last, length - 1) + 1) : .unsatisfiable
        case (nil, let suffix?) where ends[0].isEmpty:
            self = suffix > 0 && length > 0 ? .part(max(0, length - suffix)..<length) : .unsatisfiable
        default:
            return nil
        }
    }
}
