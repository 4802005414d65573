/// URLs that failed in a way that does not pass soon, each for a while (R009, S008): the next load of one fails at once.
///
/// Asked after the caches, never before (S072 is not copied).
struct FailureRegistry<Key: Hashable> {
    private struct Failure {
        let error: ImageError
        let until: Duration
    }

    private var failures: [Key: Failure] = [:]
    private static var capacity: Int { 4_096 }

    /// Why `key` is not to be tried at the time `now`, or `nil`. Mostly nothing has failed, and then nobody has to know it.
    func reason(_ key: @autoclosure () -> Key, at now: Duration) -> ImageError? {
        guard !failures.isEmpty, let failure = failures[key()], now < failure.until else { return nil }
        return .blocked(reason: failure.error.description)
    }

    /// Notes a failure, for as long as it lasts.
    mutating func note(_ error: ImageError, for key: Key, lasting time: Duration, at now: Duration) {
        if failures.count >= Self.capacity { failures = failures.filter { now < $0.value.until } }
        if failures.count >= Self.capacity { failures.removeAll() }
        failures[key] = Failure(error: error, until: now + time)
    }

    /// Forgets one, as a success does, or all.
    mutating func forget(_ key: @autoclosure () -> Key) {
        if !failures.isEmpty { failures[key()] = nil }
    }

    mutating func forgetAll() { failures.removeAll() }
}

extension ImageError {
    /// How long a URL that failed so is left alone unless a manager says otherwise; `nil` for errors of the moment, of
    /// this request's limits and of local files (S073, X049).
    public var blockingTime: Duration? {
        switch self {
        case .status(404), .status(410), .badData, .tooManyRedirects: .seconds(60)
        default: nil
        }
    }
}
