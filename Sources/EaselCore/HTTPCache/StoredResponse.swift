public import EaselFoundation

/// The part of a server's response that is stored with its body, so that the body can be reused (RFC 9111).
///
/// A value without a clock: its methods take the time. Only the header fields that matter are stored, each of a bounded
/// length.
public struct StoredResponse: Sendable, Hashable {
    /// The fields that are stored.
    enum Field: String, CaseIterable {
        case cacheControl = "cache-control"
        case date
        case age
        case expires
        case entityTag = "etag"
        case lastModified = "last-modified"

        var metadataName: String { "http-" + rawValue }
    }

    /// The status of the response: 200, as a rule.
    public let status: Int
    /// When the request was sent, by the clock of this machine (RFC 9111 4.2.3).
    public internal(set) var requested: Date
    /// When the head of the response was received.
    public internal(set) var received: Date
    /// The URL that responded, after redirects. Validators apply to it alone.
    let location: ResponseLocation
    var fields: [Field: String] {
        didSet { directives = Self.directives(fields) }
    }
    /// The directives of `fields`, which every decision reads several times.
    private(set) var directives: CacheDirectives
    var vary: Vary
    /// Until when the redirects on the way to the response are fresh; `nil` without any.
    var redirectsFreshUntil: Date?

    /// The stored part of a response.
    ///
    /// - Parameters:
    ///   - url: that responded, after redirects.
    ///   - request: the fields that were sent.
    ///   - requested: when the request was sent.
    ///   - received: when the head of the response was received.
    public init(
        status: Int, headers: HTTPHeaders, url: String, request: HTTPHeaders, requested: Date, received: Date
    ) {
        self.init(
            status: status, requested: requested, received: received, location: ResponseLocation(url: url),
            fields: Self.storedFields(headers), vary: Vary(headers, request: request), redirectsFreshUntil: nil)
    }

    init(
        status: Int, requested: Date, received: Date, location: ResponseLocation, fields: [Field: String], vary: Vary,
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

/// A URL in a form for comparison. Stored as its digest, because a URL may hold a secret.
struct ResponseLocation: Sendable, Hashable {
    private let url: String?
    private let storedDigest: String

    init(url: String) {
        self.url = url
        storedDigest = ""
    }

    init(digest: String) {
        url = nil
        storedDigest = digest
    }

    var digest: String { url.map { CacheKey($0, fileExtension: "").bareFileName } ?? storedDigest }

    static func == (first: Self, second: Self) -> Bool {
        if let url = first.url, let other = second.url { return url == other }
        return first.digest == second.digest
    }

    func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// The form in which a response is stored, in the fields of the cache's metadata.
extension StoredResponse {
    /// Texts for `init(metadata:)`, less than 3 KB together.
    var metadata: [String: String] {
        var texts = [
            "http-status": String(status), "http-requested": Self.text(requested),
            "http-received": Self.text(received), "http-location": location.digest,
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
            status: status, requested: requested, received: received, location: ResponseLocation(digest: location),
            fields: fields, vary: Vary(description: metadata["http-vary"] ?? ""),
            redirectsFreshUntil: metadata["http-redirects"].flatMap(Self.date))
    }

    /// `fields` with this response's texts in place of any other's.
    func replacing(in fields: [String: String]) -> [String: String] {
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
