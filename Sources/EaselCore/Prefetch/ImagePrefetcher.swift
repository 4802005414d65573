public import EaselFoundation

/// Loads images ahead into the caches.
///
/// Prefetching runs few loads at a time, at a low priority. A view's load of the same URL shares the work of a prefetch
/// and raises its priority at once. Calls run side by side; none cancels another.
///
/// Loads continue while the prefetcher, one of its tasks, or a stream of theirs exists; then the rest is cancelled.
public final class ImagePrefetcher: Sendable {
    private let queue: PrefetchQueue

    /// A prefetcher with at most `limit` loads at a time, at least 1.
    public init(manager: ImageManager, limit: Int = 3) {
        queue = PrefetchQueue(manager: manager, limit: limit)
    }

    /// The number of loads at a time. A change applies at once; lowering it cancels nothing.
    public var limit: Int {
        get { queue.limit }
        set { queue.limit = newValue }
    }

    /// Whether no new load starts. Loads in flight continue.
    public var isPaused: Bool {
        get { queue.isPaused }
        set { queue.isPaused = newValue }
    }

    /// Loads images into the caches.
    ///
    /// - Parameters:
    ///   - requests: as the views will make them: an image in memory is found by an equal key only. Equal requests are
    ///     loaded once. Their own priority does not matter.
    ///   - levels: the caches to fill. `.all`, the default: memory, and the disk as the request says. `.memory`:
    ///     nothing is written to disk. `.disk`: the original file alone; it is decoded only as far as it takes to check
    ///     it.
    ///   - priority: the priority of the loads.
    /// - Returns: a handle. A failure does not stop the rest; an empty list ends at once.
    @discardableResult
    public func prefetch(
        _ requests: [ImageRequest], to levels: CacheLevels = .all, priority: LoadPriority = .low
    ) -> PrefetchTask {
        PrefetchTask(queue, queue.begin(requests, levels, priority))
    }

    /// Loads the images at these URLs into the caches, as `prefetch(_:to:priority:)` does.
    @discardableResult
    public func prefetch(
        _ urls: [URL], to levels: CacheLevels = .all, priority: LoadPriority = .low
    ) -> PrefetchTask {
        prefetch(urls.map { ImageRequest($0) }, to: levels, priority: priority)
    }

    /// Cancels every prefetch of this prefetcher. Each ends with its summary.
    public func cancelAll() {
        queue.cancelAll()
    }
}

/// One call of `ImagePrefetcher.prefetch`.
public final class PrefetchTask: Sendable {
    private let queue: PrefetchQueue
    private let token: PrefetchState.Token

    init(_ queue: PrefetchQueue, _ token: PrefetchState.Token) {
        self.queue = queue
        self.token = token
    }

    deinit { queue.release(token) }

    /// The priority of its loads, present and future. `.low` once it has ended.
    public var priority: LoadPriority {
        get { queue.priority(of: token) ?? .low }
        set { queue.setPriority(token, newValue) }
    }

    /// Cancels it. It ends at once, with its summary. Other loads of the same URLs continue. Idempotent.
    public func cancel() {
        queue.cancel(token)
    }

    /// A new stream for each call. It begins with the present progress, and ends after `.ended`.
    public var events: AsyncStream<PrefetchEvent> {
        AsyncStream { continuation in
            let observer = queue.observe(token) { event in
                continuation.yield(event)
                if case .ended = event { continuation.finish() }
            }
            // A stream keeps the prefetch alive.
            continuation.onTermination = { [self] _ in queue.removeObserver(observer, of: token) }
        }
    }

    /// The progress alone. A slow reader misses all but the newest.
    public var progress: AsyncStream<PrefetchProgress> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let observer = queue.observe(token) { event in
                switch event {
                case .progress(let progress): continuation.yield(progress)
                case .ended: continuation.finish()
                }
            }
            continuation.onTermination = { [self] _ in queue.removeObserver(observer, of: token) }
        }
    }

    /// The end. Cancelling the task that waits cancels the prefetch, and returns its summary.
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

/// The progress of a prefetch. Equal requests count once each.
public struct PrefetchProgress: Sendable, Hashable {
    /// Requests whose image, or file, was loaded.
    public internal(set) var finished = 0
    /// Requests that were in the cache already.
    public internal(set) var skipped = 0
    /// Requests that failed.
    public internal(set) var failed = 0
    /// All requests.
    public internal(set) var total = 0

    /// Requests that have ended in any way.
    public var completed: Int { finished + skipped + failed }

    /// From 0 to 1; 1 if there are no requests.
    public var fraction: Double { total == 0 ? 1 : Double(completed) / Double(total) }
}

/// The end of a prefetch. If it was cancelled, the rest counts in `progress.total` alone.
public struct PrefetchSummary: Sendable, Hashable {
    /// The last progress.
    public var progress: PrefetchProgress
    /// Whether it was cancelled before its end.
    public var isCancelled: Bool
    /// The failures, in order. Equal requests have one.
    public var failures: [Failure]

    /// A request that failed.
    public struct Failure: Sendable, Hashable {
        /// The request.
        public var request: ImageRequest
        /// The reason.
        public var error: ImageError
    }
}

/// An event of a prefetch. The last one is `ended`.
public enum PrefetchEvent: Sendable {
    /// Some more requests have ended.
    case progress(PrefetchProgress)
    /// All have ended, or the rest was cancelled.
    case ended(PrefetchSummary)
}
