#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// As it is kept beside a file, in the fields of the cache's metadata.
extension StoredResponse {
    private static let prefix = "http-"

    /// The texts that `init(metadata:)` reads, less than 3 KB together.
    var metadata: [String: String] {
        var texts = [
            "status": String(status), "requested": Self.text(requested), "received": Self.text(received),
            "location": location,
        ]
        if !vary.isEmpty { texts["vary"] = vary.description }
        if let redirectsFreshUntil { texts["redirects"] = Self.text(redirectsFreshUntil) }
        for (field, value) in fields { texts[field.rawValue] = value }
        return Dictionary(uniqueKeysWithValues: texts.map { (Self.prefix + $0.key, $0.value) })
    }

    /// What `metadata` wrote; `nil` where there is nothing of it, or only parts.
    init?(metadata: [String: String]) {
        func text(_ name: String) -> String? { metadata[Self.prefix + name] }
        guard let status = text("status").flatMap({ Int($0) }), let location = text("location"),
            let requested = text("requested").flatMap(Self.date), let received = text("received").flatMap(Self.date)
        else { return nil }
        var fields: [Field: String] = [:]
        for field in Field.allCases { fields[field] = text(field.rawValue) }
        self.init(
            status: status, requested: requested, received: received, location: location, fields: fields,
            vary: Vary(kept: text("vary") ?? ""), redirectsFreshUntil: text("redirects").flatMap(Self.date))
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
