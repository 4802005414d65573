/// The directives of `Cache-Control` (RFC 9111 5.2) in a request or a response.
///
/// Names match in any case, values may be quoted, unknown directives are skipped, and of contradictory directives the
/// strictest applies (4.2.1).
package struct CacheDirectives: Sendable, Hashable {
    /// Seconds; 0 if malformed, the least if there are several (4.2.1).
    var maxAge: Int?
    /// 5.2.2.10: `maxAge` of shared caches. Ignored by a private cache; see `sharedByMany()`.
    var sharedMaxAge: Int?
    /// The `maxAge` of browsers, if `maxAge` is that of shared caches. An extension (5.2.3) for stored responses.
    package var browserMaxAge: Int?
    /// 5.2.1.5, 5.2.2.5.
    package var noStore = false
    /// 5.2.1.4, 5.2.2.4. A list of fields is ignored, as is allowed.
    var noCache = false
    /// 5.2.2.2.
    var mustRevalidate = false
    /// 5.2.2.8: `mustRevalidate` of shared caches.
    var proxyRevalidate = false
    /// 5.2.2.9.
    var isPublic = false
    /// 5.2.2.7: a permission for a private cache, which this is.
    package var isPrivate = false
    /// RFC 8246 2: not revalidated while fresh.
    package var isImmutable = false
    /// RFC 5861 3: seconds after it became stale.
    package var staleWhileRevalidate: Int?
    /// RFC 5861 4: seconds after it became stale.
    var staleIfError: Int?
    /// 5.2.1.2, of requests: seconds after it became stale, `Int.max` for no limit.
    var maxStale: Int?
    /// 5.2.1.3, of requests: seconds that it has to stay fresh.
    var minFresh: Int?
    /// 5.2.1.7, of requests.
    var onlyIfCached = false

    init() {}

    /// Parses all `Cache-Control` fields of a head, as one list.
    init(_ headers: HTTPHeaders) {
        for value in headers.all("Cache-Control") {
            for directive in DirectiveList(value) { add(directive.name, directive.argument) }
        }
    }

    package init(_ text: String) {
        self.init(["Cache-Control": text])
    }

    /// Returns the directives for a cache that several users share, in the form of those for a private cache.
    package func sharedByMany() -> CacheDirectives {
        var directives = self
        if let sharedMaxAge {
            directives.browserMaxAge = maxAge
            directives.maxAge = sharedMaxAge
            directives.sharedMaxAge = nil
        }
        if proxyRevalidate { directives.mustRevalidate = true }
        return directives
    }

    private static var flags: [(name: String, path: WritableKeyPath<Self, Bool>)] {
        [
            ("no-store", \.noStore), ("no-cache", \.noCache), ("must-revalidate", \.mustRevalidate),
            ("proxy-revalidate", \.proxyRevalidate), ("public", \.isPublic), ("private", \.isPrivate),
            ("immutable", \.isImmutable),
        ]
    }
    private static var numbers: [(name: String, path: WritableKeyPath<Self, Int?>)] {
        [
            ("max-age", \.maxAge), ("s-maxage", \.sharedMaxAge), ("browser-max-age", \.browserMaxAge),
            ("stale-while-revalidate", \.staleWhileRevalidate),
            ("stale-if-error", \.staleIfError),
        ]
    }

    private mutating func add(_ name: String, _ argument: String?) {
        let seconds = Self.seconds(argument) ?? 0
        if let flag = Self.flags.first(where: { $0.name == name }) { self[keyPath: flag.path] = true }
        if let number = Self.numbers.first(where: { $0.name == name }) {
            self[keyPath: number.path] = min(self[keyPath: number.path] ?? seconds, seconds)
        }
        switch name {
        case "max-stale": maxStale = min(maxStale ?? .max, argument == nil ? .max : seconds)
        case "min-fresh": minFresh = max(minFresh ?? 0, seconds)
        case "only-if-cached": onlyIfCached = true
        default: break
        }
    }

    /// Parses delta-seconds (1.2.2): digits, at most 2^31. Returns `nil` for anything else.
    static func seconds(_ text: String?) -> Int? {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return min(Int(text) ?? largestDelta, largestDelta)
    }

    private static let largestDelta = 1 << 31
}

extension CacheDirectives: CustomStringConvertible {
    /// The known directives, once each, so that the length is bounded.
    package var description: String {
        let flags = Self.flags.filter { self[keyPath: $0.path] }.map(\.name)
        let numbers = Self.numbers.compactMap { name, path in self[keyPath: path].map { "\(name)=\($0)" } }
        return (flags + numbers).joined(separator: ", ")
    }
}

/// The members of a comma-separated list of `name`, `name=token` and `name="quoted"` (RFC 9110 5.6.1, 5.6.4).
private struct DirectiveList: Sequence, IteratorProtocol {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
    }

    mutating func next() -> (name: String, argument: String?)? {
        rest = rest.drop { $0.isBlank || $0 == UInt8(ascii: ",") }
        guard !rest.isEmpty else { return nil }
        let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ",") }
        rest = rest[name.endIndex...]
        let argument = rest.first == UInt8(ascii: "=") ? argument() : nil
        return (String(Substring(name).trimmingBlanks).lowercased(), argument)
    }

    private mutating func argument() -> String {
        rest = rest.dropFirst().drop(while: \.isBlank)
        if rest.first == UInt8(ascii: "\""), let quoted = quotedString() { return quoted }
        let token = rest.prefix { $0 != UInt8(ascii: ",") }
        rest = rest[token.endIndex...]
        return String(Substring(token).trimmingBlanks)
    }

    /// Reads a quoted string. Returns `nil` without a closing quote: the opening one is then an ordinary byte, so that
    /// it cannot hide a `no-store` after it.
    private mutating func quotedString() -> String? {
        var bytes: [UInt8] = []
        var index = rest.index(after: rest.startIndex)
        while index < rest.endIndex {
            var byte = rest[index]
            if byte == UInt8(ascii: "\"") {
                rest = rest[rest.index(after: index)...].drop { $0 != UInt8(ascii: ",") }
                return String(decoding: bytes, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\"), rest.index(after: index) < rest.endIndex {
                index = rest.index(after: index)
                byte = rest[index]
            }
            bytes.append(byte)
            index = rest.index(after: index)
        }
        return nil
    }
}

/// The fields of a request that a response depends on, and their values (RFC 9111 4.1).
struct Vary: Sendable, Hashable, CustomStringConvertible {
    /// `accept=DIGEST accept-language=-`, or `*` if no request matches. Values are digests because this is stored on
    /// disk, and a field may contain a secret.
    let description: String

    /// Whether no request matches: `Vary: *`, or a list that is too long to be stored.
    var isUnbounded: Bool { description == "*" }

    /// Whether every request matches.
    var isEmpty: Bool { description.isEmpty }

    /// Reads a `description`.
    init(description: String) { self.description = description }

    /// Creates the fields that `response` names, with their values in its request.
    init(_ response: HTTPHeaders, request: HTTPHeaders) {
        let names = response.all("Vary").flatMap { $0.split(separator: ",") }.map { $0.trimmingBlanks.lowercased() }
        let fields = Set(names).subtracting([""])
        let isBounded =
            fields.count <= Self.maximumFieldCount
            && fields.allSatisfy { $0.utf8.count <= Self.longestName && $0.utf8.allSatisfy(Self.isNameByte) }
        description =
            isBounded ? fields.sorted().map { "\($0)=\(Self.digest(request, $0))" }.joined(separator: " ") : "*"
    }

    func matches(_ request: HTTPHeaders) -> Bool {
        description.split(separator: " ").allSatisfy { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && parts[1] == Self.digest(request, String(parts[0]))
        }
    }

    /// Returns a digest of the values. White space, and the lines of a list, do not matter (4.1).
    private static func digest(_ request: HTTPHeaders, _ name: String) -> String {
        let values = request.all(name).flatMap { $0.split(separator: ",") }.map(\.trimmingBlanks)
        if values.isEmpty { return "-" }
        return Digest(of: values.joined(separator: ",")).text
    }

    private static let maximumFieldCount = 8
    private static let longestName = 32

    /// Returns whether a byte is a character of the field names in use, without `*`.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}

/// An `ETag` (RFC 9110 8.8.3): the server's name for one version of a file.
struct EntityTag: Sendable, Hashable {
    /// As sent, with quotes and the prefix of a weak tag.
    let text: String
    /// Whether two files with this tag may differ in bytes (8.8.1).
    let isWeak: Bool

    /// Parses a tag. Returns `nil` if it is malformed. A tag without quotes, which some servers send, is strong.
    init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            return nil
        }
        self.text = text
        isWeak = text.hasPrefix("W/")
    }

    /// Compares weakly (8.8.3.2): equivalent files, possibly with other bytes.
    func weaklyMatches(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// Compares strongly (8.8.3.2): the same bytes.
    func stronglyMatches(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && text == other.text }

    private var opaque: Substring { isWeak ? text.dropFirst(2) : text[...] }

    private static let longest = 256
}
