import Synchronization

/// The URLs that failed with an error that is not temporary. For some time, loads of such a URL fail immediately.
final class Failures: Sendable {
    private let registry = Mutex(FailureRegistry<CacheKey>())
    private let now: @Sendable () -> Duration
    private let blockingTime: @Sendable (ImageRequest, ImageError) -> Duration?

    /// - Parameters:
    ///   - now: The time since a fixed moment.
    ///   - blockingTime: The time for which a failure blocks its URL; `nil` for none.
    init(
        now: @escaping @Sendable () -> Duration,
        blockingTime: @escaping @Sendable (ImageRequest, ImageError) -> Duration? = { $1.blockingTime }
    ) {
        self.now = now
        self.blockingTime = blockingTime
    }

    /// Checks that a URL is not blocked.
    ///
    /// - Throws: `ImageError.blocked` for a URL that failed a short while ago, unless the request retries failures.
    func check(_ request: ImageRequest) throws(ImageError) {
        guard !request.options.contains(.retryFailed) else { return }
        if let error = registry.withLock({ $0.blockingError(for: request.failureKey, at: now()) }) { throw error }
    }

    func record(_ error: ImageError, for request: ImageRequest) {
        guard let time = blockingTime(request, error) else { return }
        registry.withLock { $0.record(error, for: request.failureKey, lasting: time, at: now()) }
    }

    func forget(_ request: ImageRequest) { registry.withLock { $0.forget(request.failureKey) } }
    func forgetAll() { registry.withLock { $0.forgetAll() } }
}

/// Failures with the time at which each expires. A pure value; the time is an argument.
struct FailureRegistry<Key: Hashable> {
    private var failures: [Key: (error: ImageError, until: Duration)] = [:]
    private static var capacity: Int { 4_096 }

    /// Returns the error that blocks `key` now, or `nil`. The key is not computed while there is no failure at all.
    func blockingError(for key: @autoclosure () -> Key, at now: Duration) -> ImageError? {
        guard !failures.isEmpty, let failure = failures[key()], now < failure.until else { return nil }
        return .blocked(by: failure.error)
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
    /// The time for which this error blocks its URL, unless a manager's delegate decides otherwise. `nil` for temporary
    /// errors, for limits of the request, and for local files.
    package var blockingTime: Duration? {
        let isPermanent = [.badData, .tooManyRedirects].contains(code) || status == 404 || status == 410
        return isPermanent ? .seconds(60) : nil
    }
}
