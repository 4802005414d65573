package import EaselFoundation

/// Facts about the current file of a URL: its version, and how long it may be used (RFC 9111).
package struct SourceFacts: Sendable, Hashable {
    /// Identifies the content of the file.
    package var version: String?
    /// When the file becomes stale, also by a heuristic.
    package var freshUntil: Date
    /// Whether the server set the lifetime, with `max-age` or `Expires`.
    package var hasLifetime: Bool
    /// The seconds for which a browser may use it, if the server states others for shared caches (`s-maxage`).
    package var browserSeconds: Int?
    /// The seconds after `freshUntil` for which the file may be used while it is revalidated (RFC 5861 3).
    package var staleWhileRevalidate: Int?
    /// Whether the file may not be stored.
    package var forbidsStoring: Bool
    /// Whether the file is for one user.
    package var isPrivate: Bool
    /// Whether the file may never be used once stale.
    package var forbidsStale: Bool
    /// Whether the file does not change while it is fresh (RFC 8246).
    package var isImmutable: Bool

    /// Returns the version of a file, by its content.
    package static func version(of file: Data) -> String { FileVersion(of: file).text }
}

extension SourceFacts {
    /// Returns the value of `Cache-Control` by which a cache that several users share stores a response.
    package static func sharedCacheControl(_ field: String) -> String {
        CacheDirectives(field).sharedByMany().description
    }
}

extension ImageManager {
    /// Returns the facts about the file of a request that has been loaded from a server or from its copy on disk; `nil`
    /// for other sources, and for a file that was loaded long ago.
    package func sourceFacts(of request: ImageRequest) -> SourceFacts? {
        let key = applyConfiguration(to: request).originalKey
        guard let response = pipeline.known.response(of: key) else { return nil }
        let now = pipeline.configuration.date()
        let directives = response.directives
        return SourceFacts(
            version: pipeline.known.version(of: key)?.text,
            // A response without a usable age is infinitely stale.
            freshUntil: now.addingTimeInterval(-max(-1e9, min(1e9, response.staleness(at: now)))),
            hasLifetime: directives.maxAge != nil || response.fields[.expires] != nil,
            browserSeconds: directives.browserMaxAge,
            staleWhileRevalidate: directives.staleWhileRevalidate, forbidsStoring: directives.noStore,
            isPrivate: directives.isPrivate, forbidsStale: response.forbidsStale, isImmutable: directives.isImmutable)
    }
}
