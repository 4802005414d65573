/// What `Cache-Control` says (RFC 9111 5.2), of a request or of a response.
///
/// Anybody may have written it: names are matched whatever their case, values may be quoted, what is unknown is passed
/// over, and what contradicts itself is read the strict way (4.2.1).
struct CacheDirectives: Sendable, Hashable {
    /// Seconds; 0 where the field names several, or something that is no number (4.2.1).
    var maxAge: Int?
    /// 5.2.1.5, 5.2.2.5. Holds also where it has a value that it should not have.
    var noStore = false
    /// 5.2.1.4, 5.2.2.4. With a list of fields it counts as one without, which is allowed and common.
    var noCache = false
    /// 5.2.2.2; `proxy-revalidate` does not concern a private cache.
    var mustRevalidate = false
    /// 5.2.2.9. A private cache needs it only where a status alone would not let it store.
    var isPublic = false
    /// 5.2.2.7: for a private cache, which this is, a permission.
    var isPrivate = false
    /// RFC 8246 2: while it is fresh, not even a user who asks for a refresh needs to ask the server.
    var isImmutable = false
    /// RFC 5861 3: seconds after it became stale.
    var staleWhileRevalidate: Int?
    /// RFC 5861 4: seconds after it became stale.
    var staleIfError: Int?
    /// 5.2.1.2, of requests: seconds after it became stale, `Int.max` for any number of them.
    var maxStale: Int?
    /// 5.2.1.3, of requests: seconds that it has to stay fresh.
    var minFresh: Int?
    /// 5.2.1.7, of requests.
    var onlyIfCached = false

    /// What is said where there is no such field.
    init() {}

    /// All `Cache-Control` fields of a head, as one list.
    init(_ headers: HTTPHeaders) {
        for value in headers.all("Cache-Control") {
            for directive in DirectiveList(value) { take(directive.name, directive.argument) }
        }
    }

    /// One list of directives.
    init(_ text: String) {
        self.init(["Cache-Control": text])
    }

    private mutating func take(_ name: String, _ argument: String?) {
        switch name {
        case "max-age": maxAge = Self.strictest(maxAge, Self.seconds(argument) ?? 0)
        case "no-store": noStore = true
        case "no-cache": noCache = true
        case "must-revalidate": mustRevalidate = true
        case "public": isPublic = true
        case "private": isPrivate = true
        case "immutable": isImmutable = true
        case "stale-while-revalidate":
            staleWhileRevalidate = Self.strictest(staleWhileRevalidate, Self.seconds(argument) ?? 0)
        case "stale-if-error": staleIfError = Self.strictest(staleIfError, Self.seconds(argument) ?? 0)
        case "max-stale":
            maxStale = Self.strictest(maxStale, argument == nil ? .max : Self.seconds(argument) ?? 0)
        case "min-fresh": minFresh = max(minFresh ?? 0, Self.seconds(argument) ?? 0)
        case "only-if-cached": onlyIfCached = true
        default: break
        }
    }

    private static func strictest(_ first: Int?, _ second: Int) -> Int { min(first ?? second, second) }

    /// Delta-seconds (1.2.2): digits, and what is too large for a number is 2^31. `nil` for anything else.
    static func seconds(_ text: String?) -> Int? {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return min(Int(text) ?? largestDelta, largestDelta)
    }

    private static let largestDelta = 1 << 31
}

extension CacheDirectives: CustomStringConvertible {
    /// The field as it is kept beside a file: what is known, once each, so that its length is bounded.
    var description: String {
        var parts: [String] = []
        let flags = [
            ("no-store", noStore), ("no-cache", noCache), ("must-revalidate", mustRevalidate), ("public", isPublic),
            ("private", isPrivate), ("immutable", isImmutable),
        ]
        let numbers = [
            ("max-age", maxAge), ("stale-while-revalidate", staleWhileRevalidate), ("stale-if-error", staleIfError),
        ]
        for (name, isSet) in flags where isSet { parts.append(name) }
        for (name, value) in numbers { if let value { parts.append("\(name)=\(value)") } }
        return parts.joined(separator: ", ")
    }
}

/// The members of a comma-separated list of `name`, `name=token` and `name="quoted"` (RFC 9110 5.6.1, 5.6.4).
private struct DirectiveList: Sequence, IteratorProtocol {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
    }

    mutating func next() -> (name: String, argument: String?)? {
        rest = rest.drop { Self.isSpace($0) || $0 == UInt8(ascii: ",") }
        guard !rest.isEmpty else { return nil }
        let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ",") }
        rest = rest[name.endIndex...]
        let argument = rest.first == UInt8(ascii: "=") ? argument() : nil
        return (Self.trimmed(name).lowercased(), argument)
    }

    private mutating func argument() -> String {
        rest = rest.dropFirst().drop(while: Self.isSpace)
        if rest.first == UInt8(ascii: "\""), let quoted = quotedString() { return quoted }
        let token = rest.prefix { $0 != UInt8(ascii: ",") }
        rest = rest[token.endIndex...]
        return Self.trimmed(token)
    }

    /// `nil` where the closing quote is missing: then the opening one is a byte like any other, so that it does not
    /// swallow a `no-store` behind it.
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

    private static func trimmed(_ bytes: Substring.UTF8View) -> String {
        var bytes = bytes
        while let last = bytes.last, isSpace(last) { bytes = bytes.dropLast() }
        return String(Substring(bytes))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
