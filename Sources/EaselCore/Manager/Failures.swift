import Synchronization

/// The failure registry of one manager, on its clock.
final class Failures: Sendable {
    private let registry = Mutex(FailureRegistry<CacheKey>())
    private let now: @Sendable () -> Duration

    init(now: @escaping @Sendable () -> Duration) {
        self.now = now
    }

    /// - Throws: `ImageError.blocked` for a URL that failed a short while ago, unless the request wants to try (S077).
    func check(_ request: ImageRequest) throws(ImageError) {
        guard !request.options.contains(.retryFailed) else { return }
        if let error = registry.withLock({ $0.reason(request.originalKey, at: now()) }) { throw error }
    }

    func note(_ error: ImageError, for request: ImageRequest) {
        registry.withLock { $0.note(error, for: request.originalKey, at: now()) }
    }

    func forget(_ request: ImageRequest) {
        registry.withLock { $0.forget(request.originalKey) }
    }

    func forgetAll() {
        registry.withLock { $0.forgetAll() }
    }
}
