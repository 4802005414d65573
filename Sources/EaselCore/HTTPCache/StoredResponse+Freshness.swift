import EaselFoundation

/// How old an answer is and how long it may be used (RFC 9111 4.2). All times are seconds.
extension StoredResponse {
    /// The time since the server made or last confirmed the answer (4.2.3), at the time `now`.
    ///
    /// Infinite where the clock of this machine has gone back behind the time of the answer: nobody knows then how much
    /// time has passed, and an answer from a clock that was years ahead would stay fresh for years.
    func age(at now: Date) -> Double {
        let resident = now.timeIntervalSince(received)
        guard resident > -Self.clockTolerance else { return .infinity }
        // A server whose clock is ahead would make it negative.
        let apparent = max(0, received.timeIntervalSince(date))
        let delay = max(0, received.timeIntervalSince(requested))
        let corrected = Double(CacheDirectives.seconds(fields[.age]) ?? 0) + delay
        return max(apparent, corrected) + max(0, resident)
    }

    /// How old it may become (4.2.1). `s-maxage` is for shared caches, which this is not.
    var lifetime: Double {
        if let maxAge = directives.maxAge { return Double(maxAge) }
        if let expires = fields[.expires] {
            // What is no date, `0` above all, is a time in the past (5.3).
            guard let end = HTTPDate.parse(expires, now: received) else { return 0 }
            return max(0, end.timeIntervalSince(date))
        }
        return heuristicLifetime
    }

    /// Where the server says nothing (4.2.2): a tenth of the time for which the file had not changed, at most a week.
    private var heuristicLifetime: Double {
        guard Self.heuristicStatuses.contains(status) || directives.isPublic,
            let modified = fields[.lastModified].flatMap({ HTTPDate.parse($0, now: received) })
        else { return 0 }
        return min(max(0, date.timeIntervalSince(modified)) / 10, Self.longestHeuristic)
    }

    /// For how long it has been stale; zero or less while it is fresh.
    func staleness(at now: Date) -> Double {
        let ownStaleness = age(at: now) - lifetime
        // A chain is as fresh as the least fresh of its redirects.
        guard let redirectsFreshUntil else { return ownStaleness }
        return max(ownStaleness, now.timeIntervalSince(redirectsFreshUntil))
    }

    /// Whether it may be used without asking (4.2).
    func isFresh(at now: Date) -> Bool { staleness(at: now) < 0 }

    /// Whether it may never be used once it is stale, whatever else allows that (4.2.4, 5.2.2.2, 5.2.2.4).
    var forbidsStale: Bool { directives.mustRevalidate || directives.noCache }

    /// Whether the protocol lets a private cache keep it (RFC 9111 3), for a request with these fields.
    func mayBeStored(for request: HTTPHeaders) -> Bool {
        let directives = directives
        // Part of a file is not a file, and a 304 is none either.
        guard (200..<300).contains(status), status != 206, !directives.noStore, !vary.isUnbounded,
            !CacheDirectives(request).noStore
        else { return false }
        return directives.isPublic || directives.isPrivate || directives.maxAge != nil || fields[.expires] != nil
            || Self.heuristicStatuses.contains(status)
    }

    /// When the answer was made, by the server's clock; ours where it does not say (RFC 9110 6.6.1).
    private var date: Date { fields[.date].flatMap { HTTPDate.parse($0, now: received) } ?? received }

    /// RFC 9110 15.1, of those that carry a file.
    private static let heuristicStatuses: Set<Int> = [200, 203, 204]
    private static let longestHeuristic = 7 * 86_400.0
    /// Clocks are set right by a second or so all the time.
    private static let clockTolerance = 5.0
}

extension StoredResponse {
    /// For how long a redirect may be taken for granted: by its own fields (RFC 9110 15.4), and for ever one to its end
    /// by nobody.
    static func redirectFreshUntil(
        status: Int, headers: HTTPHeaders, requested: Date, received: Date
    ) -> Date {
        let redirect = StoredResponse(
            status: status, headers: headers, url: "", request: HTTPHeaders(), requested: requested, received: received)
        let directives = redirect.directives
        guard !directives.noStore, !directives.noCache, !redirect.vary.isUnbounded else { return received }
        return received.addingTimeInterval(max(0, redirect.lifetime - redirect.age(at: received)))
    }
}
