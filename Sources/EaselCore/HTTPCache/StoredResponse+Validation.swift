import EaselFoundation

/// Asking whether an answer is still current (RFC 9111 4.3).
extension StoredResponse {
    /// Whether the server gave anything to ask with.
    var hasValidator: Bool { entityTag != nil || lastModified != nil }

    /// `request` as a question whether this answer still holds (RFC 9110 13.1.2, 13.1.3; RFC 9111 4.3.1). Unchanged where
    /// it goes to another URL than the one that answered: its validators mean nothing there.
    func asking(_ request: HTTPRequest) -> HTTPRequest {
        guard AnswerLocation(url: request.url) == location else { return request }
        var request = request
        if let entityTag { request.headers["If-None-Match"] = entityTag.text }
        if let lastModified { request.headers["If-Modified-Since"] = lastModified }
        return request
    }

    /// The answer after a 304 to `asking` (3.2, 4.3.4): the new fields in place of the old ones, and a new age.
    ///
    /// `nil` where the 304 names another version, which this is not then.
    func confirmed(by headers: HTTPHeaders, request: HTTPHeaders, requested: Date, received: Date) -> StoredResponse? {
        if let theirs = headers["ETag"].flatMap({ EntityTag($0) }), let ours = entityTag {
            // A strong tag confirms only the same bytes; a weak one what it stands for.
            guard theirs.isWeak || ours.isWeak ? theirs.weaklyMatches(ours) : theirs.stronglyMatches(ours) else {
                return nil
            }
        } else if headers["ETag"] == nil, let theirs = headers["Last-Modified"], let ours = fields[.lastModified] {
            guard theirs == ours else { return nil }
        }
        var updated = self
        // They tell of the old answer's way here, not of this one's.
        updated.fields[.age] = nil
        updated.fields[.date] = nil
        updated.fields.merge(Self.kept(headers, received: received)) { $1 }
        if headers["Vary"] != nil { updated.vary = Vary(headers, request: request) }
        updated.requested = requested
        updated.received = received
        return updated
    }

    /// This answer, which brought the rest of what `first` began, as the answer that brought the whole (3.4).
    func completing(_ first: StoredResponse) -> StoredResponse {
        StoredResponse(
            status: first.status, requested: requested, received: received, location: location,
            fields: first.fields.filter { $0.key != .age && $0.key != .date }.merging(fields) { $1 },
            vary: vary.isEmpty ? first.vary : vary, redirectsFreshUntil: redirectsFreshUntil)
    }

    /// Whether both are about the same bytes, as far as their validators tell.
    func isSameVersion(as other: StoredResponse?) -> Bool {
        guard let other else { return false }
        return location == other.location && fields[.entityTag] == other.fields[.entityTag]
            && fields[.lastModified] == other.fields[.lastModified]
    }

    /// What names these very bytes in `If-Range` (RFC 9110 13.1.5): a strong tag, or a date that is strong.
    var strongValidator: String? {
        if let entityTag { return entityTag.isWeak ? nil : entityTag.text }
        guard let lastModified, let modified = HTTPDate.parse(lastModified, now: received),
            let date = fields[.date].flatMap({ HTTPDate.parse($0, now: received) }),
            // RFC 9110 8.8.2.2: had it changed again in the same second, both versions would have this date.
            date.timeIntervalSince(modified) >= 1
        else { return nil }
        return lastModified
    }

    /// As it came, where it is a date: it is sent back unchanged.
    private var lastModified: String? {
        fields[.lastModified].flatMap { HTTPDate.parse($0, now: received) == nil ? nil : $0 }
    }
}
