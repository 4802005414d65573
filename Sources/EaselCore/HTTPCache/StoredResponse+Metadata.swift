import EaselFoundation

/// As it is kept beside a file, in the fields of the cache's metadata.
extension StoredResponse {
    private static let prefix = "http-"

    /// The texts that `init(metadata:)` reads, less than 3 KB together.
    var metadata: [String: String] {
        var texts = [
            "http-status": String(status), "http-requested": Self.text(requested),
            "http-received": Self.text(received), "http-location": location.digest,
        ]
        if !vary.isEmpty { texts["http-vary"] = vary.description }
        if let redirectsFreshUntil { texts["http-redirects"] = Self.text(redirectsFreshUntil) }
        for (field, value) in fields { texts[field.metadataName] = value }
        return texts
    }

    /// What `metadata` wrote; `nil` where there is nothing of it, or only parts.
    init?(metadata: [String: String]) {
        guard let status = metadata["http-status"].flatMap({ Int($0) }), let location = metadata["http-location"],
            let requested = metadata["http-requested"].flatMap(Self.date),
            let received = metadata["http-received"].flatMap(Self.date)
        else { return nil }
        var fields = [Field: String](minimumCapacity: Field.allCases.count)
        for field in Field.allCases { fields[field] = metadata[field.metadataName] }
        self.init(
            status: status, requested: requested, received: received, location: AnswerLocation(digest: location),
            fields: fields, vary: Vary(kept: metadata["http-vary"] ?? ""),
            redirectsFreshUntil: metadata["http-redirects"].flatMap(Self.date))
    }

    /// `fields` with this response's texts in place of any other's.
    func replacing(in fields: [String: String]) -> [String: String] {
        fields.filter { !$0.key.hasPrefix(Self.prefix) }.merging(metadata) { $1 }
    }

    /// Milliseconds since 1970.
    private static func text(_ date: Date) -> String {
        String(Int64(min(max(date.timeIntervalSince1970 * 1000, -1e15), 1e15).rounded()))
    }

    private static func date(_ text: String) -> Date? {
        Int64(text).map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }
}
