#if Server
import EaselServerURLs
import Synchronization

/// The formats of `Accept` fields that were parsed. Browsers send only a few different fields, with each request.
final class AcceptCache: Sendable {
    private let parsed = Mutex<[String: AcceptedFormats]>([:])
    private static let capacity = 256
    private static let longestField = 512

    /// Returns the formats of a field.
    func formats(_ field: String) -> AcceptedFormats {
        guard field.utf8.count <= Self.longestField else { return AcceptedFormats(accept: field) }
        if let formats = parsed.withLock({ $0[field] }) { return formats }
        let formats = AcceptedFormats(accept: field)
        parsed.withLock { parsed in
            if parsed.count >= Self.capacity { parsed = [:] }
            parsed[field] = formats
        }
        return formats
    }
}
#endif
