import EaselCore

/// The conditions of a request (RFC 9110 13), held against the fields of what the server has.
///
/// Dates are compared as text: a client sends back what it was given, and RFC 9110 13.1.5 asks just that of `If-Range`.
struct ConditionalRequest {
    private let ifNoneMatch: [String]
    private let ifModifiedSince: String?
    private let ifRange: String?

    init(_ request: OriginRequest) {
        ifNoneMatch = request.headers.all("If-None-Match").flatMap { list in
            list.split(separator: ",").map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
        }
        ifModifiedSince = request.headers["If-Modified-Since"]
        ifRange = request.headers["If-Range"]
    }

    /// Whether the client already has it: a 304. `If-Modified-Since` counts only without `If-None-Match`.
    func isCurrent(_ headers: HTTPHeaders) -> Bool {
        if !ifNoneMatch.isEmpty {
            guard let tag = headers["ETag"] else { return false }
            return ifNoneMatch.contains { $0 == "*" || Self.opaque($0) == Self.opaque(tag) }
        }
        guard let ifModifiedSince, let modified = headers["Last-Modified"] else { return false }
        return ifModifiedSince == modified
    }

    /// Whether a range may be served: without `If-Range`, or where it names, strongly, what the server has.
    func allowsRange(of headers: HTTPHeaders) -> Bool {
        guard let ifRange else { return true }
        if ifRange.hasPrefix("W/") { return false }
        return ifRange == headers["ETag"] || ifRange == headers["Last-Modified"]
    }

    /// A tag without the mark of a weak one: what weak comparison looks at.
    private static func opaque(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }
}
