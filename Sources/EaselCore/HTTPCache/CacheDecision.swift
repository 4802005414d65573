import EaselFoundation

/// What to do about a picture that may be in the cache.
enum CacheDecision: Sendable, Hashable {
    /// Use what is kept.
    case use
    /// Use what is kept, and ask the server behind the load's back (RFC 5861 3).
    case useWhileRevalidating
    /// Ask the server whether what is kept is current; it stands in where the server fails (see `mayReplaceError`).
    case revalidate
    /// Load it: nothing is kept that could be used.
    case fetch
    /// End with `ImageError.notCached`.
    case fail

    /// The decision for a request with these fields, at the time `now` (RFC 9111 4).
    ///
    /// - Parameters:
    ///   - stored: what is known of the answer that is kept; `nil` where nothing is.
    ///   - isRefresh: whether the user wants the server to be asked (`LoadOptions.refreshCached`).
    static func decide(
        _ policy: CachePolicy, stored: StoredResponse?, request: HTTPHeaders, isRefresh: Bool = false, now: Date
    ) -> CacheDecision {
        switch policy {
        case .offline: return stored == nil ? .fail : .use
        case .forever: return stored == nil ? .fetch : isRefresh ? .revalidate : .use
        case .standard: break
        }
        let asked = CacheDirectives(request: request)
        guard let stored, stored.vary.matches(request), !stored.directives.noStore else {
            return asked.onlyIfCached ? .fail : .fetch
        }
        let decision = decide(stored, asked, isRefresh: isRefresh, now: now)
        if !asked.onlyIfCached { return decision }
        return decision == .revalidate ? .fail : .use
    }

    private static func decide(
        _ stored: StoredResponse, _ asked: CacheDirectives, isRefresh: Bool, now: Date
    ) -> CacheDecision {
        let directives = stored.directives
        let staleness = stored.staleness(at: now)
        // RFC 8246 2: what never changes while it is fresh is not asked about, not even by a user who reloads.
        if isRefresh { return directives.isImmutable && staleness < 0 && !directives.noCache ? .use : .revalidate }
        if directives.noCache || asked.noCache { return .revalidate }
        if let maxAge = asked.maxAge, stored.age(at: now) > Double(maxAge) { return .revalidate }
        // Counting from when it would no longer be fresh enough for this request (5.2.1.3).
        let lateness = staleness + Double(asked.minFresh ?? 0)
        if lateness < 0 { return .use }
        if stored.forbidsStale { return .revalidate }
        if staleness >= 0, let maxStale = asked.maxStale, lateness <= Double(maxStale) { return .use }
        if let window = directives.staleWhileRevalidate, lateness < Double(window) { return .useWhileRevalidating }
        return .revalidate
    }

    /// Whether what is kept may stand in for an answer that failed with `error` (RFC 5861 4): where the server, or the
    /// request, allows that for so long.
    static func mayReplaceError(
        _ error: ImageError, with stored: StoredResponse, request: HTTPHeaders, now: Date
    ) -> Bool {
        guard error.isServersFailure, !stored.forbidsStale, stored.vary.matches(request) else { return false }
        let allowed = [stored.directives.staleIfError, CacheDirectives(request: request).staleIfError].compactMap(
            \.self)
        guard let longest = allowed.max() else { return false }
        return stored.staleness(at: now) < Double(longest)
    }
}

extension CacheDirectives {
    /// What a request says; `Pragma` only where it says nothing else (RFC 9111 5.4).
    init(request headers: HTTPHeaders) {
        self.init(headers)
        if headers["Cache-Control"] == nil, headers["Pragma"]?.lowercased().contains("no-cache") == true {
            noCache = true
        }
    }
}

extension ImageError {
    /// Whether nobody answered, or with one of the statuses that RFC 5861 4 names.
    fileprivate var isServersFailure: Bool {
        switch self {
        case .unreachable, .timedOut, .connectionLost: true
        case .status(let status): [500, 502, 503, 504].contains(status)
        default: false
        }
    }
}
