#if Server
import Crypto
import EaselCore
import EaselFoundation
import EaselServerTiers
import EaselServerURLs

/// A verified URL with what is computed from it once.
final class ParsedURL: Sendable {
    let path: String
    let url: ImageURL
    /// Identifies source and options, without what does not change the result, such as the signature.
    let identity: String
    /// Whether the format depends on `Accept`.
    let isNegotiated: Bool
    /// Whether the size depends on the hint `DPR`, and on `Width`.
    let usesPixelRatio: Bool
    let usesWidth: Bool
    let usesHints: Bool
    let settings: String
    /// The fields that responses depend on; `nil` for none.
    let vary: String?

    /// - Parameter settings: The server's settings that decide the result, as text.
    init(path: String, url: ImageURL, usesHints: Bool, settings: String) {
        self.path = path
        self.url = url
        self.usesHints = usesHints
        self.settings = settings
        let options = url.kind == .image ? url.options.resultKey : "\(url.info)"
        let format = url.kind == .image ? url.options.format?.name ?? "" : "json"
        // Lengths keep the parts apart.
        let text = [url.source, format, options, settings].map { "\($0.utf8.count):\($0)" }.joined()
        identity = hexadecimal(SHA256.hash(data: Data(text.utf8)).prefix(16))
        let isImage = url.kind == .image && !url.options.isRaw
        isNegotiated = isImage && url.options.format == nil
        usesPixelRatio = isImage && usesHints && url.options.pixelRatio == nil
        usesWidth = isImage && usesHints && url.options.width == nil
        var names: [String] = []
        if isNegotiated { names.append("Accept") }
        if usesPixelRatio { names += ["DPR", "Sec-CH-DPR"] }
        if usesWidth { names += ["Width", "Sec-CH-Width"] }
        vary = names.isEmpty ? nil : names.joined(separator: ", ")
    }
}

/// What distinguishes the results of one URL.
struct ResultVariant: Sendable, Hashable {
    var accepts: AcceptedFormats = []
    var hints = ClientHints()

    /// A short text for keys.
    var text: String {
        var text = "a\(accepts.rawValue)"
        if let ratio = hints.pixelRatio { text += "r\(Int(ratio * 100))" }
        if let width = hints.width { text += "w\(width)" }
        return text
    }
}

/// The key of a result.
struct ResultKey: Sendable, Hashable {
    /// Identifies the URL and the variant.
    let text: String
    /// The source, by which results are removed.
    let source: String

    init(_ parsed: ParsedURL, _ variant: ResultVariant) {
        text = "\(parsed.identity)-\(variant.text)"
        source = parsed.url.source
    }

    static func == (first: ResultKey, second: ResultKey) -> Bool { first.text == second.text }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// The key in memory.
    var memoryKey: CacheKey { CacheKey(text, fileExtension: "") }
    /// The key in shared tiers. All results of a source are one group.
    var sharedKey: SharedKey { SharedKey(text, group: source) }
    /// The key on disk. All results of a source have names with the same beginning.
    var diskKey: CacheKey { CacheKey("\(source)#-Result(\(text))", fileExtension: "") }
    /// The key of all results of a source.
    static func diskKey(ofSource source: String) -> CacheKey { CacheKey(source, fileExtension: "") }
}

/// Parses and verifies URLs, and keeps the results: a page uses the same URLs again and again, and a signature takes
/// longer to check than a lookup.
final class URLParser: Sendable {
    private let rules: URLRules
    private let usesHints: Bool
    private let settings: String
    private let parsed: MemoryCache<ParsedURL>

    /// - Parameter settings: The server's settings that decide results, as text.
    init(rules: URLRules, usesHints: Bool, settings: String = "", maximumBytes: Int = 16 << 20) {
        self.rules = rules
        self.usesHints = usesHints
        self.settings = settings
        parsed = MemoryCache(maximumCost: maximumBytes)
    }

    /// Returns the URL of a raw path.
    ///
    /// - Throws: `ServerError` if the path is no image URL, its signature is invalid, or it has expired.
    func parse(_ path: String, now: Date) throws(ServerError) -> ParsedURL {
        // Checked again by the parser, but before the digest of a long path.
        guard path.utf8.count <= rules.maximumPathLength else {
            throw ServerError(414, "pathTooLong", "The path has more than \(rules.maximumPathLength) bytes.")
        }
        let key = CacheKey(path, fileExtension: "")
        if let found = known(path, key) {
            try Self.checkExpiry(of: found.url, now: now)
            return found
        }
        let url: ImageURL
        do throws(ImageURLError) { url = try ImageURL(rawPath: path, rules: rules) } catch { throw ServerError(error) }
        try Self.checkExpiry(of: url, now: now)
        let result = ParsedURL(path: path, url: url, usesHints: usesHints, settings: settings)
        parsed.store(result, cost: 4 * path.utf8.count + 1024, for: key)
        return result
    }

    /// Returns the URL of a raw path that was parsed before and has not expired.
    func known(_ path: String, now: Date) -> ParsedURL? {
        guard path.utf8.count <= rules.maximumPathLength, let found = known(path, CacheKey(path, fileExtension: "")),
            (try? Self.checkExpiry(of: found.url, now: now)) != nil
        else { return nil }
        return found
    }

    private func known(_ path: String, _ key: CacheKey) -> ParsedURL? {
        // The key is a digest that an attacker could make collide, so that the path is compared too.
        guard let found = parsed.value(for: key), found.path == path else { return nil }
        return found
    }

    private static func checkExpiry(of url: ImageURL, now: Date) throws(ServerError) {
        do throws(ImageURLError) { try url.checkExpiry(now: Int(now.timeIntervalSince1970)) } catch {
            throw ServerError(error)
        }
    }
}
#endif
