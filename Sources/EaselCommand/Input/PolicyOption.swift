import ArgumentParser
import EaselCore

/// What is made of what servers say about keeping their pictures, as the user names it.
enum PolicyOption: String, CaseIterable, ExpressibleByArgument {
    case forever
    case http
    case offline

    /// The library's name for it.
    var policy: CachePolicy {
        switch self {
        case .forever: .forever
        case .http: .standard
        case .offline: .offline
        }
    }
}
