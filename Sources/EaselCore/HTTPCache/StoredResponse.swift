public import EaselFoundation

/// What is remembered of a server's answer beside its body, so that the body can be used again (RFC 9111).
///
/// A value without a clock: each question names the time. Of the head, only the fields that matter are kept, each of
/// a bounded length, so that a server cannot fill the cache with headers.
public struct StoredResponse: Sendable, Hashable {
    /// The fields that are kept.
    enum Field: CaseIterable {
        case cacheControl
        case date
        case age
        case expires
        case entityTag
        case lastModified

        /// In lower case. Not a raw value: by that it would be compared and hashed.
        var name: String {
            switch self {
            case .cacheControl: "cache-control"
            case .date: "date"
            case .age: "age"
            case .expires: "expires"
            case .entityTag: "etag"
            case .lastModified: "last-modified"
            }
        }

        /// Its name in the cache's metadata, written out: each hit on disk asks for all of them.
        var metadataName: String {
            switch self {
            case .cacheControl: "http-cache-control"
            case .date: "http-date"
            case .age: "http-age"
            case .expires: "http-expires"
            case .entityTag: "http-etag"
            case .lastModified: "http-last-modified"
            }
        }
    }

    /// The status of the answer: 200, as a rule.
    public var status: Int { known.value.status }
    /// When the request was sent, by the clock of this machine (RFC 9111 4.2.3).
    public internal(set) var requested: Date {
        get { known.value.requested }
        set { known.value.requested = newValue }
    }
    /// When the head of the answer came.
    public internal(set) var received: Date {
        get { known.value.received }
        set { known.value.received = newValue }
    }
    /// The URL that answered, which redirects may have made another than the one that was asked for: validators belong to
    /// it alone.
    var location: AnswerLocation { known.value.location }
    /// The answer's fields, in the one line that is left of several.
    var fields: [Field: String] {
        get { known.value.fields }
        _modify { yield &known.value.fields }
    }
    /// What `Cache-Control` says, read once: every decision asks for it several times.
    var directives: CacheDirectives { known.value.directives }
    /// Which fields of a request it depends on.
    var vary: Vary {
        get { known.value.vary }
        set { known.value.vary = newValue }
    }
    /// Until when the redirects on the way to the answer may be taken for granted; `nil` without any.
    var redirectsFreshUntil: Date? {
        get { known.value.redirectsFreshUntil }
        set { known.value.redirectsFreshUntil = newValue }
    }

    private struct Known: Hashable {
        let status: Int
        var requested: Date
        var received: Date
        let location: AnswerLocation
        var fields: [Field: String] {
            didSet { directives = StoredResponse.directives(fields) }
        }
        var directives: CacheDirectives
        var vary: Vary
        var redirectsFreshUntil: Date?
    }

    /// It goes through every hand that its file goes through.
    private var known: Boxed<Known>

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
        self.init(
            status: status, requested: requested, received: received, location: AnswerLocation(url: url),
            fields: Self.kept(headers, received: received), vary: Vary(headers, request: request),
            redirectsFreshUntil: nil)
    }

    init(
        status: Int, requested: Date, received: Date, location: AnswerLocation, fields: [Field: String], vary: Vary,
        redirectsFreshUntil: Date?
    ) {
        known = Boxed(
            Known(
                status: status, requested: requested, received: received, location: location, fields: fields,
                directives: Self.directives(fields), vary: vary, redirectsFreshUntil: redirectsFreshUntil))
    }

    private static func directives(_ fields: [Field: String]) -> CacheDirectives {
        fields[.cacheControl].map { CacheDirectives($0) } ?? CacheDirectives()
    }

    /// The server's name for this version.
    var entityTag: EntityTag? { fields[.entityTag].flatMap { EntityTag($0) } }

    static func kept(_ headers: HTTPHeaders, received: Date) -> [Field: String] {
        var fields = [Field: String](minimumCapacity: Field.allCases.count)
        for field in Field.allCases where field != .cacheControl {
            guard let first = headers[field.name] else { continue }
            // Lines that differ make an `Expires` invalid (4.2.1), and of the others the first counts.
            let value = field == .expires && headers.all(field.name).contains { $0 != first } ? "0" : first
            if value.utf8.count <= longestField {
                fields[field] = value
            } else if field == .expires {
                fields[field] = "0"
            }
        }
        if headers[Field.cacheControl.name] != nil { fields[.cacheControl] = CacheDirectives(headers).description }
        return fields
    }

    private static let longestField = 256
}

/// A URL, as far as it has to be known again: by its digest, since a URL may hold a secret and this is kept on disk. The
/// digest is made where it is asked for, which for most answers is never.
struct AnswerLocation: Sendable, Hashable {
    private let url: String?
    private let knownDigest: String

    init(url: String) {
        self.url = url
        knownDigest = ""
    }

    /// What `digest` was once.
    init(digest: String) {
        url = nil
        knownDigest = digest
    }

    var digest: String { url.map { CacheKey($0, fileExtension: "").bareFileName } ?? knownDigest }

    static func == (first: Self, second: Self) -> Bool {
        if let url = first.url, let other = second.url { return url == other }
        return first.digest == second.digest
    }

    func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
