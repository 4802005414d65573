#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What is remembered of a server's answer beside its body, so that the body can be used again (RFC 9111).
///
/// A value without a clock: each question names the time. Of the head, only the fields that matter are kept, each of
/// a bounded length, so that a server cannot fill the cache with headers.
public struct StoredResponse: Sendable, Hashable {
    /// The fields that are kept.
    enum Field: String, CaseIterable {
        case cacheControl = "cache-control"
        case date
        case age
        case expires
        case entityTag = "etag"
        case lastModified = "last-modified"
    }

    /// The status of the answer: 200, as a rule.
    public let status: Int
    /// When the request was sent, by the clock of this machine (RFC 9111 4.2.3).
    public internal(set) var requested: Date
    /// When the head of the answer came.
    public internal(set) var received: Date
    /// The digest of the URL that answered, which redirects may have made another than the one that was asked for:
    /// validators belong to it alone.
    let location: String
    /// The answer's fields, in the one line that is left of several.
    var fields: [Field: String] {
        didSet { directives = Self.directives(fields) }
    }
    /// What `Cache-Control` says, read once: every decision asks for it several times.
    private(set) var directives: CacheDirectives
    /// Which fields of a request it depends on.
    var vary: Vary
    /// Until when the redirects on the way to the answer may be taken for granted; `nil` without any.
    var redirectsFreshUntil: Date?

    /// What is remembered of an answer.
    ///
    /// - Parameters:
    ///   - url: that answered, after redirects.
    ///   - request: the fields that were sent.
    ///   - requested: when the request was sent.
    ///   - received: when the head of the answer came.
    public init(
        status: Int, headers: HTTPHeaders, url: String, request: HTTPHeaders, requested: Date, received: Date
    ) {
        self.status = status
        self.requested = requested
        self.received = received
        location = Self.digest(of: url)
        let fields = Self.kept(headers, received: received)
        self.fields = fields
        directives = Self.directives(fields)
        vary = Vary(headers, request: request)
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

    /// The server's name for this version.
    var entityTag: EntityTag? { fields[.entityTag].flatMap { EntityTag($0) } }

    static func digest(of url: String) -> String { CacheKey(url, fileExtension: "").bareFileName }

    static func kept(_ headers: HTTPHeaders, received: Date) -> [Field: String] {
        var fields: [Field: String] = [:]
        for field in Field.allCases where field != .cacheControl {
            let values = headers.all(field.rawValue)
            guard let first = values.first else { continue }
            // Lines that differ make an `Expires` invalid (4.2.1), and of the others the first counts.
            let value = field == .expires && values.contains { $0 != first } ? "0" : first
            if value.utf8.count <= longestField {
                fields[field] = value
            } else if field == .expires {
                fields[field] = "0"
            }
        }
        let control = CacheDirectives(headers)
        if !headers.all(Field.cacheControl.rawValue).isEmpty { fields[.cacheControl] = control.description }
        return fields
    }

    private static let longestField = 256
}
