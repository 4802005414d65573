/// One call of `ImagePrefetcher.prefetch`, which can be watched, hurried and cancelled (the token of X185, X188).
public final class PrefetchTask: Sendable {
    private let queue: PrefetchQueue
    private let token: PrefetchQueue.Token

    init(_ queue: PrefetchQueue, _ token: PrefetchQueue.Token) {
        self.queue = queue
        self.token = token
    }

    deinit { queue.letGo(token) }

    /// How urgent its loads are; setting it reaches those under way and those to come (B75). `.low` once it has ended.
    public var priority: LoadPriority {
        get { queue.priority(of: token) ?? .low }
        set { queue.setPriority(token, newValue) }
    }

    /// Ends it at once, with its summary. Loads of others are left alone, of the same URLs too (S164). Twice is harmless.
    public func cancel() {
        queue.cancel(token)
    }

    /// A stream of its own for each who asks: it begins with how far the prefetch is, and ends behind `.ended`.
    public var events: AsyncStream<PrefetchEvent> {
        AsyncStream { continuation in
            let observer = queue.observe(token) { event in
                continuation.yield(event)
                if case .ended = event { continuation.finish() }
            }
            // Whoever watches holds the prefetch.
            continuation.onTermination = { [self] _ in queue.remove(observer, of: token) }
        }
    }

    /// The counts of `events`, the last ones always among them.
    public var progress: AsyncStream<PrefetchProgress> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let observer = queue.observe(token) { event in
                switch event {
                case .progress(let progress): continuation.yield(progress)
                case .ended: continuation.finish()
                }
            }
            continuation.onTermination = { [self] _ in queue.remove(observer, of: token) }
        }
    }

    /// The end. Cancelling the task that waits cancels the prefetch, as with `ImageTask.response`, and gives its summary.
    public var summary: PrefetchSummary {
        get async {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    _ = queue.observe(token) { event in
                        if case .ended(let summary) = event { continuation.resume(returning: summary) }
                    }
                }
            } onCancel: {
                cancel()
            }
        }
    }
}
