import EaselFoundation

/// How the cache follows the caching headers of servers.
public enum CachePolicy: Sendable, Hashable, CaseIterable {
    /// Cached images are used at any age, as in SDWebImage. For images whose URL changes when they do.
    case forever
    /// The protocol applies (RFC 9111): fresh images are used, stale ones are revalidated, and only storable ones are
    /// stored.
    case standard
    /// A cached image is used without a request; without one the load ends with `ImageError.notCached`.
    case offline
}

/// How a load uses an image that may be in the cache.
enum CacheDecision: Sendable, Hashable {
    /// Use the cached image.
    case use
    /// Use the cached image, and revalidate it in the background (RFC 5861 3).
    case useWhileRevalidating
    /// Revalidate the cached image, which may replace a server's error (see `mayReplaceError`).
    case revalidate
    /// Load the image: no usable one is cached.
    case fetch
    /// End with `ImageError.notCached`.
    case fail

    /// Returns the decision for a request with these fields (RFC 9111 4).
    ///
    /// - Parameters:
    ///   - stored: The cached response; `nil` if there is none.
    ///   - isRefresh: Whether the request is a reload (`LoadOptions.refreshCached`).
    static func decide(
        _ policy: CachePolicy, stored: StoredResponse?, request: HTTPHeaders, isRefresh: Bool = false, now: Date
    ) -> CacheDecision {
        switch policy {
        case .offline: return stored == nil ? .fail : .use
        case .forever: return stored == nil ? .fetch : isRefresh ? .revalidate : .use
        case .standard: break
        }
        let requested = CacheDirectives(request: request)
        guard let stored, stored.vary.matches(request), !stored.directives.noStore else {
            return requested.onlyIfCached ? .fail : .fetch
        }
        let decision = decide(stored, requested, isRefresh: isRefresh, now: now)
        guard requested.onlyIfCached else { return decision }
        return decision == .revalidate ? .fail : .use
    }

    private static func decide(
        _ stored: StoredResponse, _ requested: CacheDirectives, isRefresh: Bool, now: Date
    ) -> CacheDecision {
        let directives = stored.directives
        let staleness = stored.staleness(at: now)
        // RFC 8246 2: a fresh immutable response is not revalidated, even on a reload.
        if isRefresh { return directives.isImmutable && staleness < 0 && !directives.noCache ? .use : .revalidate }
        if directives.noCache || requested.noCache { return .revalidate }
        if let maxAge = requested.maxAge, stored.age(at: now) > Double(maxAge) { return .revalidate }
        // Since the response is no longer fresh enough for this request (5.2.1.3).
        let lateness = staleness + Double(requested.minFresh ?? 0)
        if lateness < 0 { return .use }
        if stored.forbidsStale { return .revalidate }
        if staleness >= 0, let maxStale = requested.maxStale, lateness <= Double(maxStale) { return .use }
        if let window = directives.staleWhileRevalidate, lateness < Double(window) { return .useWhileRevalidating }
        return .revalidate
    }

    /// Returns whether the cached image may replace a response that failed with `error` (RFC 5861 4).
    static func mayReplaceError(
        _ error: ImageError, with stored: StoredResponse, request: HTTPHeaders, now: Date
    ) -> Bool {
        guard error.isServerFailure, !stored.forbidsStale, stored.vary.matches(request) else { return false }
        let allowed = [stored.directives.staleIfError, CacheDirectives(request: request).staleIfError]
        guard let longest = allowed.compactMap(\.self).max() else { return false }
        return stored.staleness(at: now) < Double(longest)
    }
}

extension CacheDirectives {
    /// Creates the directives of a request. `Pragma` counts only without `Cache-Control` (RFC 9111 5.4).
    init(request headers: HTTPHeaders) {
        self.init(headers)
        if headers["Cache-Control"] == nil, headers["Pragma"]?.lowercased().contains("no-cache") == true {
            noCache = true
        }
    }
}

extension ImageError {
    /// Whether there is no response, or one with a status that RFC 5861 4 names.
    fileprivate var isServerFailure: Bool {
        isConnectionFailure || status.map([500, 502, 503, 504].contains) ?? false
    }
}
