import EaselFoundation

/// The part of a server's response that is stored with its body, so that the body can be reused (RFC 9111).
///
/// Only the header fields that matter are stored, each of a bounded length.
package struct StoredResponse: Sendable, Hashable {
    enum Field: String, CaseIterable {
        case cacheControl = "cache-control"
        case date
        case age
        case expires
        case entityTag = "etag"
        case lastModified = "last-modified"

        var metadataName: String { "http-" + rawValue }
    }

    /// Usually 200.
    let status: Int
    /// The time when the request was sent, by the clock of this machine (RFC 9111 4.2.3).
    var requested: Date
    /// The time when the head of the response was received.
    var received: Date
    /// The digest of the URL that responded, after redirects, because a URL may contain a secret. Validators apply only
    /// to it.
    let location: String
    var fields: [Field: String] {
        didSet { directives = Self.directives(fields) }
    }
    /// The directives of `fields`, which every decision reads several times.
    package private(set) var directives: CacheDirectives
    var vary: Vary
    /// The time until which the redirects before the response are fresh; `nil` without any.
    var redirectsFreshUntil: Date?

    /// - Parameters:
    ///   - url: The URL that responded, after redirects.
    ///   - request: The fields that were sent.
    init(
        status: Int, headers: HTTPHeaders, url: String, request: HTTPHeaders, requested: Date, received: Date
    ) {
        self.init(
            status: status, requested: requested, received: received, location: Self.location(of: url),
            fields: Self.storedFields(headers), vary: Vary(headers, request: request), redirectsFreshUntil: nil)
    }

    init(
        status: Int, requested: Date, received: Date, location: String, fields: [Field: String], vary: Vary,
        redirectsFreshUntil: Date?
    ) {
        self.status = status
        self.requested = requested
        self.received = received
        self.location = location
        self.fields = fields
        directives = Self.directives(fields)
        self.vary = vary
        self.redirectsFreshUntil = redirectsFreshUntil
    }

    private static func directives(_ fields: [Field: String]) -> CacheDirectives {
        fields[.cacheControl].map { CacheDirectives($0) } ?? CacheDirectives()
    }

    static func location(of url: String) -> String { Digest(of: url).text }

    var entityTag: EntityTag? { fields[.entityTag].flatMap { EntityTag($0) } }

    static func storedFields(_ headers: HTTPHeaders) -> [Field: String] {
        var fields: [Field: String] = [:]
        for field in Field.allCases where field != .cacheControl {
            guard let first = headers[field.rawValue] else { continue }
            if first.utf8.count <= longestField { fields[field] = first }
            // `Expires` is invalid if it is too long or its lines differ (4.2.1); of other fields the first line
            // counts.
            if field == .expires, fields[field] == nil || headers.all(field.rawValue).contains(where: { $0 != first }) {
                fields[field] = "0"
            }
        }
        if headers[Field.cacheControl.rawValue] != nil { fields[.cacheControl] = CacheDirectives(headers).description }
        return fields
    }

    private static let longestField = 256
}

/// The form in which a response is stored, in the fields of the cache's metadata.
extension StoredResponse {
    /// Texts for `init(metadata:)`, less than 3 KB together.
    var metadata: [String: String] {
        var texts = [
            "http-status": String(status), "http-requested": Self.text(requested),
            "http-received": Self.text(received), "http-location": location,
        ]
        if !vary.isEmpty { texts["http-vary"] = vary.description }
        if let redirectsFreshUntil { texts["http-redirects"] = Self.text(redirectsFreshUntil) }
        for (field, value) in fields { texts[field.metadataName] = value }
        return texts
    }

    /// Reads `metadata`; `nil` if it is missing or incomplete.
    init?(metadata: [String: String]) {
        guard let status = metadata["http-status"].flatMap({ Int($0) }), let location = metadata["http-location"],
            let requested = metadata["http-requested"].flatMap(Self.date),
            let received = metadata["http-received"].flatMap(Self.date)
        else { return nil }
        var fields: [Field: String] = [:]
        for field in Field.allCases { fields[field] = metadata[field.metadataName] }
        self.init(
            status: status, requested: requested, received: received, location: location, fields: fields,
            vary: Vary(description: metadata["http-vary"] ?? ""),
            redirectsFreshUntil: metadata["http-redirects"].flatMap(Self.date))
    }

    /// Returns `fields` with this response's texts instead of any other's.
    func replace(in fields: [String: String]) -> [String: String] {
        fields.filter { !$0.key.hasPrefix("http-") }.merging(metadata) { $1 }
    }

    /// Milliseconds since 1970.
    private static func text(_ date: Date) -> String {
        String(Int64(min(max(date.timeIntervalSince1970 * 1000, -1e15), 1e15).rounded()))
    }

    private static func date(_ text: String) -> Date? {
        Int64(text).map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }
}
