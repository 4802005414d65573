public import EaselFoundation

/// A prefetcher that loads images into the caches ahead of their use.
///
/// Prefetching runs few loads at a time, at a low priority. A view's load of the same URL shares the work of a prefetch
/// and raises its priority at once. Prefetches run concurrently; none cancels another.
///
/// Loads continue while the prefetcher, one of its tasks, or a progress stream exists; then they are cancelled.
public final class ImagePrefetcher: Sendable {
    private let queue: PrefetchQueue

    /// Creates a prefetcher with at most `limit` loads at a time, at least 1.
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
    ///   - requests: The requests of the views: an image in memory is found only by an equal request. Equal requests
    ///     are loaded once. Their own priority is ignored.
    ///   - levels: The caches to fill. `.all`, the default: memory, and the disk as the request states. `.memory`:
    ///     nothing is written to disk. `.disk`: only the original file, which is decoded just far enough to check it.
    ///   - priority: The priority of the loads.
    /// - Returns: A handle. A failure does not stop the other loads; an empty list ends at once.
    @discardableResult
    public func prefetch(
        _ requests: [ImageRequest], to levels: CacheLevels = .all, priority: LoadPriority = .low
    ) -> PrefetchTask {
        let report = PrefetchReport(requests)
        return PrefetchTask(queue, queue.begin(report, levels, priority), report)
    }

    /// Loads the images at URLs into the caches.
    @discardableResult
    public func prefetch(_ urls: [URL], to levels: CacheLevels = .all, priority: LoadPriority = .low) -> PrefetchTask {
        prefetch(urls.map { ImageRequest($0) }, to: levels, priority: priority)
    }

    /// Cancels every prefetch of this prefetcher. Each ends with its summary.
    public func cancelAll() { queue.cancelAll() }
}

/// One call of `ImagePrefetcher.prefetch`.
public final class PrefetchTask: Sendable {
    private let queue: PrefetchQueue
    private let number: Int
    private let report: PrefetchReport

    init(_ queue: PrefetchQueue, _ number: Int, _ report: PrefetchReport) {
        self.queue = queue
        self.number = number
        self.report = report
    }

    /// The priority of the loads, present and future. `.low` after the end.
    public var priority: LoadPriority {
        get { queue.priority(of: number) ?? .low }
        set { queue.setPriority(number, newValue) }
    }

    /// Ends the prefetch at once, with its summary. Other loads of the same URLs continue. Idempotent.
    public func cancel() { queue.cancel(number) }

    /// A stream that begins with the current progress and ends with the prefetch. A slow reader gets only the newest
    /// progress. Each access creates a stream.
    public var progress: AsyncStream<PrefetchProgress> { report.stream(retaining: self) }

    /// The last progress, after the end. Cancelling the task that waits for it cancels the prefetch.
    public var summary: PrefetchProgress {
        get async {
            await withTaskCancellationHandler {
                await report.summary()
            } onCancel: {
                cancel()
            }
        }
    }
}

/// The progress of a prefetch, and at the end its result. Each of several equal requests counts.
public struct PrefetchProgress: Sendable, Hashable {
    /// The number of requests whose image, or file, was loaded.
    public internal(set) var finished = 0
    /// The number of requests that were in the cache already.
    public internal(set) var skipped = 0
    /// The number of requests that failed.
    public internal(set) var failed = 0
    /// The number of requests.
    public internal(set) var total = 0
    /// Whether the prefetch was cancelled. The remaining requests then count only in `total`.
    public internal(set) var isCancelled = false
    /// The requests that failed, and why. Empty until the end.
    public internal(set) var failures: [ImageRequest: ImageError] = [:]

    /// The number of requests that have ended in any way.
    var completed: Int { finished + skipped + failed }
}
