import Synchronization

/// The URLs that failed in a way that does not pass soon. A load of one fails at once for a while.
final class Failures: Sendable {
    private let registry = Mutex(FailureRegistry<CacheKey>())
    private let now: @Sendable () -> Duration
    private let blockingTime: @Sendable (ImageRequest, ImageError) -> Duration?

    /// - Parameters:
    ///   - now: The time since a fixed moment.
    ///   - blockingTime: For how long a failure blocks its URL; `nil` for not at all.
    init(
        now: @escaping @Sendable () -> Duration,
        blockingTime: @escaping @Sendable (ImageRequest, ImageError) -> Duration? = { $1.blockingTime }
    ) {
        self.now = now
        self.blockingTime = blockingTime
    }

    /// - Throws: `ImageError.blocked` for a URL that failed a short while ago, unless the request retries failures.
    func check(_ request: ImageRequest) throws(ImageError) {
        guard !request.options.contains(.retryFailed) else { return }
        if let error = registry.withLock({ $0.blockingError(for: request.originalKey, at: now()) }) { throw error }
    }

    func record(_ error: ImageError, for request: ImageRequest) {
        guard let time = blockingTime(request, error) else { return }
        registry.withLock { $0.record(error, for: request.originalKey, lasting: time, at: now()) }
    }

    func forget(_ request: ImageRequest) { registry.withLock { $0.forget(request.originalKey) } }
    func forgetAll() { registry.withLock { $0.forgetAll() } }
}

/// Failures with the time at which each expires. A pure value; the time is an argument.
struct FailureRegistry<Key: Hashable> {
    private var failures: [Key: (error: ImageError, until: Duration)] = [:]
    private static var capacity: Int { 4_096 }

    /// Returns why `key` must not be tried now. The key is not computed while there is no failure at all.
    func blockingError(for key: @autoclosure () -> Key, at now: Duration) -> ImageError? {
        guard !failures.isEmpty, let failure = failures[key()], now < failure.until else { return nil }
        return .blocked(reason: failure.error.description)
    }

    mutating func record(_ error: ImageError, for key: Key, lasting time: Duration, at now: Duration) {
        if failures.count >= Self.capacity { failures = failures.filter { now < $0.value.until } }
        if failures.count >= Self.capacity { failures.removeAll() }
        failures[key] = (error, now + time)
    }

    mutating func forget(_ key: @autoclosure () -> Key) {
        if !failures.isEmpty { failures[key()] = nil }
    }

    mutating func forgetAll() { failures = [:] }
}

extension ImageError {
    /// For how long this error blocks its URL, unless a manager decides otherwise. `nil` for errors that pass soon, for limits of the
    /// request, and for local files.
    public var blockingTime: Duration? {
        switch self {
        case .status(404), .status(410), .badData, .tooManyRedirects: .seconds(60)
        default: nil
        }
    }
}
