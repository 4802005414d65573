import EaselFoundation
import Synchronization

/// Cookies in memory, for requests with `ImageRequest.HTTP.handlesCookies`.
///
/// Caches do not distinguish the users of a store: another user needs another store, and another cache folder or an
/// identity header.
public final class CookieStore: Sendable {
    private let jar = Mutex(CookieJar())

    /// Creates an empty store.
    public init() {}

    /// Removes all cookies.
    public func removeAll() { jar.withLock { $0.removeAll() } }

    func store(_ response: HTTPResponse, from url: URL) {
        let fields = response.headers.all("Set-Cookie")
        guard !fields.isEmpty else { return }
        jar.withLock { jar in
            for field in fields { jar.store(field, from: url, now: Date()) }
        }
    }

    func field(for url: URL) -> String? {
        jar.withLock { $0.field(for: url, now: Date()) }
    }
}

/// Cookies according to RFC 6265.
///
/// There is no list of public suffixes: a server may set a cookie for every parent domain except a single label.
struct CookieJar: Sendable {
    private struct Name: Sendable, Hashable {
        let name: String
        let domain: String
        let path: String
    }

    private struct Cookie: Sendable {
        let value: String
        let isHostOnly: Bool
        let isSecure: Bool
        let expires: Date?
        /// The order of creation.
        let number: Int
    }

    private var cookies: [Name: Cookie] = [:]
    private var nextNumber = 0

    private static let capacity = 3000
    private static let longestCookie = 4096

    var count: Int { cookies.count }

    /// Adds, replaces or removes a cookie according to a `Set-Cookie` field from `url` (5.2, 5.3).
    mutating func store(_ field: String, from url: URL, now: Date) {
        guard field.utf8.count <= Self.longestCookie, let host = url.host?.lowercased() else { return }
        var parts = field.split(separator: ";", omittingEmptySubsequences: false).map(Self.pair)
        let (name, value) = parts.removeFirst()
        guard !name.isEmpty, let text = value, Self.isClean(name), Self.isClean(text) else { return }
        var attributes: [String: String] = [:]
        for (name, value) in parts { attributes[name.lowercased()] = value ?? "" }

        let isSecure = attributes["secure"] != nil
        if isSecure, url.scheme?.lowercased() != "https" { return }
        let domain = attributes["domain"].map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }?.lowercased() ?? ""
        guard domain.isEmpty || domain == host || Self.isAllowed(domain, for: host) else { return }
        let path = attributes["path"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? Self.defaultPath(url)

        let key = Name(name: name, domain: domain.isEmpty ? host : domain, path: path)
        let expires = Self.expiry(attributes, now: now)
        if let expires, expires <= now {
            cookies[key] = nil
            return
        }
        nextNumber += 1
        cookies[key] = Cookie(
            value: text, isHostOnly: domain.isEmpty, isSecure: isSecure, expires: expires,
            number: cookies[key]?.number ?? nextNumber)
        if cookies.count > Self.capacity { shrink(now: now) }
    }

    /// Returns the `Cookie` field for a request to `url`, or `nil` (5.4).
    func field(for url: URL, now: Date) -> String? {
        guard let host = url.host?.lowercased() else { return nil }
        let isSecure = url.scheme?.lowercased() == "https"
        let path = url.path.isEmpty ? "/" : url.path
        let sent = cookies.filter { name, cookie in
            (name.domain == host || !cookie.isHostOnly && host.hasSuffix("." + name.domain))
                && Self.isPath(path, in: name.path) && (isSecure || !cookie.isSecure)
                && cookie.expires.map { $0 > now } ?? true
        }
        let ordered = sent.sorted {
            ($1.key.path.utf8.count, $0.value.number) < ($0.key.path.utf8.count, $1.value.number)
        }
        return ordered.isEmpty ? nil : ordered.map { "\($0.key.name)=\($0.value.value)" }.joined(separator: "; ")
    }

    mutating func removeAll() { cookies = [:] }

    /// Removes expired cookies, then the oldest tenth.
    private mutating func shrink(now: Date) {
        cookies = cookies.filter { $0.value.expires.map { $0 > now } ?? true }
        guard cookies.count > Self.capacity else { return }
        for (name, _) in cookies.sorted(by: { $0.value.number < $1.value.number }).prefix(Self.capacity / 10) {
            cookies[name] = nil
        }
    }

    private static func pair(_ text: Substring) -> (name: String, value: String?) {
        guard let equals = text.firstIndex(of: "=") else { return (String(text.trimmingBlanks), nil) }
        return (String(text[..<equals].trimmingBlanks), String(text[text.index(after: equals)...].trimmingBlanks))
    }

    /// Returns whether there are no control characters: a line break could begin another header.
    private static func isClean(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }

    private static func isAllowed(_ domain: String, for host: String) -> Bool {
        domain.contains(".") && host.hasSuffix("." + domain) && IPAddress(host) == nil
    }

    /// Returns the expiry. `Max-Age` takes precedence over `Expires`.
    private static func expiry(_ attributes: [String: String], now: Date) -> Date? {
        if let seconds = attributes["max-age"].flatMap({ Int($0) }) {
            return now.addingTimeInterval(Double(max(-1, seconds)))
        }
        return attributes["expires"].flatMap { HTTPDate.parse($0, now: now) }
    }

    private static func defaultPath(_ url: URL) -> String {
        guard let slash = url.path.lastIndex(of: "/"), slash != url.path.startIndex else { return "/" }
        return String(url.path[..<slash])
    }

    private static func isPath(_ path: String, in folder: String) -> Bool {
        path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }
}
