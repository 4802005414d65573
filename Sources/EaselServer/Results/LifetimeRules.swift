#if Server
import EaselCore
import EaselFoundation

/// How long results may be used.
struct LifetimeRules: Sendable, Hashable {
    /// The lifetime of results whose source has none, and of files.
    var standard: Duration = .seconds(86_400)
    /// The lifetime of all results, whatever their source says; `nil` for that of the source.
    var fixed: Duration?
    /// The time for which a stale result may be used while it is made again, if the source does not say it.
    var staleWhileRevalidate: Duration = .zero

    /// Returns the lifetime of a result.
    ///
    /// - Parameter facts: Those of the source; `nil` if it has none, as files have.
    func lifetime(_ facts: SourceFacts?, now: Date = Date()) -> ImageResult.Lifetime {
        var lifetime = ImageResult.Lifetime(freshUntil: now.addingTimeInterval((fixed ?? standard).inSeconds))
        lifetime.staleWhileRevalidate = Int(staleWhileRevalidate.inSeconds)
        if fixed == nil, let facts {
            lifetime.visibility = facts.forbidsStoring ? .nobody : facts.isPrivate ? .client : .everyone
            if facts.hasLifetime || facts.forbidsStoring { lifetime.freshUntil = facts.freshUntil }
            lifetime.browserSeconds = facts.browserSeconds
            lifetime.isImmutable = facts.isImmutable
            if let seconds = facts.staleWhileRevalidate { lifetime.staleWhileRevalidate = seconds }
            if facts.forbidsStale { lifetime.staleWhileRevalidate = 0 }
        }
        return lifetime
    }

    /// Returns the `Cache-Control` of a source's response, so that the core's rules treat the source as these rules do;
    /// `nil` to leave it as it is.
    func cacheControl(replacing field: String?, hasExpires: Bool) -> String? {
        if let fixed { return "max-age=\(Int(fixed.inSeconds))" }
        guard let field else { return hasExpires ? nil : "max-age=\(Int(standard.inSeconds))" }
        return SourceFacts.sharedCacheControl(field)
    }
}

extension Duration {
    /// The duration in seconds.
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
#endif
