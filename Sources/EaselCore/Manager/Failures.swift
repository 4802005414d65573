import Synchronization

/// The failure registry of one manager, on its clock.
final class Failures: Sendable {
    private let registry = Mutex(FailureRegistry<CacheKey>())
    private let now: @Sendable () -> Duration
    private let blockingTime: @Sendable (ImageRequest, ImageError) -> Duration?

    init(
        now: @escaping @Sendable () -> Duration,
        blockingTime: @escaping @Sendable (ImageRequest, ImageError) -> Duration? = { $1.blockingTime }
    ) {
        self.now = now
        self.blockingTime = blockingTime
    }

    /// - Throws: `ImageError.blocked` for a URL that failed a short while ago, unless the request wants to try (S077).
    func check(_ request: ImageRequest) throws(ImageError) {
        guard !request.options.contains(.retryFailed) else { return }
        if let error = registry.withLock({ $0.reason(request.originalKey, at: now()) }) { throw error }
    }

    func note(_ error: ImageError, for request: ImageRequest) {
        guard let time = blockingTime(request, error) else { return }
        registry.withLock { $0.note(error, for: request.originalKey, lasting: time, at: now()) }
    }

    func forget(_ request: ImageRequest) {
        registry.withLock { $0.forget(request.originalKey) }
    }

    func forgetAll() {
        registry.withLock { $0.forgetAll() }
    }
}
