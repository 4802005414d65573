package import EaselFoundation

/// The age of a response, and how long it may be used (RFC 9111 4.2). All times are seconds.
extension StoredResponse {
    /// Returns the time since the server made or last validated the response (4.2.3).
    ///
    /// Infinite if this machine's clock has been set back before the response: a response from a clock that was years
    /// ahead must not stay fresh for years.
    func age(at now: Date) -> Double {
        let resident = now.timeIntervalSince(received)
        guard resident > -Self.clockTolerance else { return .infinity }
        // Negative if the server's clock is ahead.
        let apparent = max(0, received.timeIntervalSince(date))
        let delay = max(0, received.timeIntervalSince(requested))
        let corrected = Double(CacheDirectives.seconds(fields[.age]) ?? 0) + delay
        return max(apparent, corrected) + max(0, resident)
    }

    /// The age up to which it is fresh (4.2.1). `s-maxage` is for shared caches, which this is not.
    var lifetime: Double {
        if let maxAge = directives.maxAge { return Double(maxAge) }
        if let expires = fields[.expires] {
            // Anything but a date, `0` above all, is in the past (5.3).
            guard let end = parsedDate(expires) else { return 0 }
            return max(0, end.timeIntervalSince(date))
        }
        // A heuristic (4.2.2): a tenth of the time for which the file had not changed, at most a week.
        guard Self.heuristicStatuses.contains(status) || directives.isPublic,
            let modified = fields[.lastModified].flatMap(parsedDate)
        else { return 0 }
        return min(max(0, date.timeIntervalSince(modified)) / 10, Self.longestHeuristic)
    }

    /// Returns the time since it became stale; negative while it is fresh.
    package func staleness(at now: Date) -> Double {
        let ownStaleness = age(at: now) - lifetime
        // A chain is as fresh as the least fresh of its redirects.
        guard let redirectsFreshUntil else { return ownStaleness }
        return max(ownStaleness, now.timeIntervalSince(redirectsFreshUntil))
    }

    /// Whether the server set the lifetime.
    package var hasLifetime: Bool { directives.maxAge != nil || fields[.expires] != nil }

    /// Whether it may never be used once stale, regardless of other permissions (4.2.4, 5.2.2.2, 5.2.2.4).
    package var forbidsStale: Bool { directives.mustRevalidate || directives.noCache }

    /// Returns whether a private cache may store it (RFC 9111 3), for a request with these fields.
    func mayBeStored(for request: HTTPHeaders) -> Bool {
        guard (200..<300).contains(status), status != 206, !directives.noStore, !vary.isUnbounded,
            !CacheDirectives(request).noStore
        else { return false }
        return directives.isPublic || directives.isPrivate || hasLifetime
            || Self.heuristicStatuses.contains(status)
    }

    /// Returns the time until which a redirect is fresh by its fields (RFC 9110 15.4).
    static func redirectFreshUntil(
        status: Int, headers: HTTPHeaders, requested: Date, received: Date
    ) -> Date {
        let redirect = StoredResponse(
            status: status, headers: headers, url: "", request: HTTPHeaders(), requested: requested, received: received)
        let directives = redirect.directives
        guard !directives.noStore, !directives.noCache, !redirect.vary.isUnbounded else { return received }
        return received.addingTimeInterval(max(0, redirect.lifetime - redirect.age(at: received)))
    }

    /// The time of the response by the server's clock, or the time of its receipt if the server does not send one (RFC
    /// 9110 6.6.1).
    private var date: Date { fields[.date].flatMap(parsedDate) ?? received }

    private func parsedDate(_ text: String) -> Date? { HTTPDate.parse(text, now: received) }

    /// RFC 9110 15.1, of those that carry a file.
    private static let heuristicStatuses: Set<Int> = [200, 203, 204]
    private static let longestHeuristic = 7 * 86_400.0
    /// Clocks are often corrected by about a second.
    private static let clockTolerance = 5.0
}

/// Revalidation (RFC 9111 4.3).
extension StoredResponse {
    /// Adds the validators of this response to a request (RFC 9110 13.1.2, 13.1.3; RFC 9111 4.3.1), unless it is sent
    /// to another URL than the one that responded.
    func addValidators(to request: HTTPRequest) -> HTTPRequest {
        guard Self.location(of: request.url) == location else { return request }
        var request = request
        if let entityTag { request.headers["If-None-Match"] = entityTag.text }
        if let lastModified { request.headers["If-Modified-Since"] = lastModified }
        return request
    }

    /// Returns this response after a 304 (3.2, 4.3.4), with the new fields and a new age; `nil` if the 304 names
    /// another version.
    func update(by headers: HTTPHeaders, request: HTTPHeaders, requested: Date, received: Date) -> StoredResponse? {
        if let theirs = headers["ETag"].flatMap({ EntityTag($0) }), let stored = entityTag {
            guard theirs.isWeak || stored.isWeak ? theirs.weaklyMatches(stored) : theirs.stronglyMatches(stored) else {
                return nil
            }
        } else if headers["ETag"] == nil, let theirs = headers["Last-Modified"], let stored = fields[.lastModified] {
            guard theirs == stored else { return nil }
        }
        var updated = self
        // They belong to the old response.
        updated.fields[.age] = nil
        updated.fields[.date] = nil
        updated.fields.merge(Self.storedFields(headers)) { $1 }
        if headers["Vary"] != nil { updated.vary = Vary(headers, request: request) }
        updated.requested = requested
        updated.received = received
        return updated
    }

    /// Returns the response for the whole body, of which `first` brought the beginning and this one the rest (3.4).
    func merge(into first: StoredResponse) -> StoredResponse {
        StoredResponse(
            status: first.status, requested: requested, received: received, location: location,
            fields: first.fields.filter { $0.key != .age && $0.key != .date }.merging(fields) { $1 },
            vary: vary.isEmpty ? first.vary : vary, redirectsFreshUntil: redirectsFreshUntil)
    }

    func isSameVersion(as other: StoredResponse?) -> Bool {
        guard let other else { return false }
        return location == other.location && fields[.entityTag] == other.fields[.entityTag]
            && fields[.lastModified] == other.fields[.lastModified]
    }

    /// The validator for `If-Range` (RFC 9110 13.1.5): a strong tag, or a date that is strong.
    var strongValidator: String? {
        if let entityTag { return entityTag.isWeak ? nil : entityTag.text }
        guard let lastModified, let modified = parsedDate(lastModified), let date = fields[.date].flatMap(parsedDate),
            // RFC 9110 8.8.2.2: two versions of one second would have the same date.
            date.timeIntervalSince(modified) >= 1
        else { return nil }
        return lastModified
    }

    /// The field as received, if it is a date.
    private var lastModified: String? {
        fields[.lastModified].flatMap { parsedDate($0) == nil ? nil : $0 }
    }
}
