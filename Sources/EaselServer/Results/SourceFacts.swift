#if Server
import EaselCore
import EaselFoundation

/// Facts about the current file of a URL: its version, and how long it may be used (RFC 9111).
struct SourceFacts: Sendable, Hashable {
    /// Identifies the content of the file.
    var version: String?
    /// When the file becomes stale, also by a heuristic.
    var freshUntil: Date
    /// Whether the server set the lifetime, with `max-age` or `Expires`.
    var hasLifetime: Bool
    /// The seconds for which a browser may use it, if the server states others for shared caches (`s-maxage`).
    var browserSeconds: Int?
    /// The seconds after `freshUntil` for which the file may be used while it is revalidated (RFC 5861 3).
    var staleWhileRevalidate: Int?
    /// Whether the file may not be stored.
    var forbidsStoring: Bool
    /// Whether the file is for one user.
    var isPrivate: Bool
    /// Whether the file may never be used once stale.
    var forbidsStale: Bool
    /// Whether the file does not change while it is fresh (RFC 8246).
    var isImmutable: Bool

    /// Returns the version of a file, by its content.
    static func version(of file: Data) -> String { FileVersion(of: file).text }

    /// Returns the value of `Cache-Control` by which a cache that several users share stores a response.
    static func sharedCacheControl(_ field: String) -> String {
        CacheDirectives(field).sharedByMany().description
    }
}

extension ImageManager {
    /// Returns the facts about the file of a request that has been loaded from a server or from its copy on disk; `nil`
    /// for other sources, and for a file that was loaded long ago.
    func sourceFacts(of request: ImageRequest) -> SourceFacts? {
        guard let (response, version, now) = knownFile(of: request) else { return nil }
        let directives = response.directives
        return SourceFacts(
            version: version?.text,
            // A response without a usable age is infinitely stale.
            freshUntil: now.addingTimeInterval(-max(-1e9, min(1e9, response.staleness(at: now)))),
            hasLifetime: response.hasLifetime, browserSeconds: directives.browserMaxAge,
            staleWhileRevalidate: directives.staleWhileRevalidate, forbidsStoring: directives.noStore,
            isPrivate: directives.isPrivate, forbidsStale: response.forbidsStale, isImmutable: directives.isImmutable)
    }
}
#endif
