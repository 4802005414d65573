public import EaselFoundation

/// Loads ahead what will be wanted, so that it is there at once (S169).
///
/// Prefetching stays out of the way: few loads at a time, of low priority. A load that a view asks for shares the work of a
/// prefetch of the same URL, which becomes as urgent as the view is, that moment (B60). Calls run beside each other and
/// none cancels another (X185).
///
/// Loads go on for as long as somebody holds the prefetcher, one of its tasks, or a stream of theirs; then the rest is
/// cancelled (B74).
public final class ImagePrefetcher: Sendable {
    private let queue: PrefetchQueue

    /// A prefetcher of this manager, with so many loads at a time, at least 1: 3 (X185).
    public init(manager: ImageManager, limit: Int = 3) {
        queue = PrefetchQueue(manager: manager, limit: limit)
    }

    /// Loads at a time. Setting it counts at once; where it is lower, what is under way goes on.
    public var limit: Int {
        get { queue.limit }
        set { queue.limit = newValue }
    }

    /// Whether nothing more is started. What is under way goes on.
    public var isPaused: Bool {
        get { queue.isPaused }
        set { queue.isPaused = newValue }
    }

    /// Loads pictures into the caches.
    ///
    /// - Parameters:
    ///   - requests: what views will ask for: a picture in memory is found again only by an equal key. Equal ones are loaded
    ///     once. Their own priority does not matter.
    ///   - levels: where to. `.all`, the default: into memory, and onto disk as the request says. `.memory`: nothing is
    ///     written to disk. `.disk`: the original file alone, without its picture; it is decoded only as far as it takes
    ///     to know that it is sound (B75).
    ///   - priority: of the loads: low.
    /// - Returns: what to watch it by. One failure does not stop the rest; an empty list ends at once (X186).
    @discardableResult
    public func prefetch(
        _ requests: [ImageRequest], to levels: CacheLevels = .all, priority: LoadPriority = .low
    ) -> PrefetchTask {
        PrefetchTask(queue, queue.begin(requests, levels, priority))
    }

    /// Loads the pictures at these URLs into the caches, as `prefetch(_:to:priority:)` does.
    @discardableResult
    public func prefetch(
        _ urls: [URL], to levels: CacheLevels = .all, priority: LoadPriority = .low
    ) -> PrefetchTask {
        prefetch(urls.map { ImageRequest($0) }, to: levels, priority: priority)
    }

    /// Ends every prefetch of this prefetcher at once, each with its summary (X188).
    public func cancelAll() {
        queue.cancelAll()
    }
}
