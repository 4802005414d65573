public import EaselCore
public import EaselFoundation

/// Loading with callbacks, as in SDWebImage.
///
/// The order is: progress while bytes arrive; then, with `finished` false, the cached image of `refreshCached`, a
/// placeholder of the request and previews; then the end, once, with `finished` true, also for a cancelled load. No
/// callback follows the end. If a refreshed image has not changed, the same image is delivered again at the end.
extension ImageManager {
    /// Receives the number of bytes so far, the expected number (-1 while unknown), and the URL.
    public typealias ProgressCallback = @MainActor @Sendable (_ received: Int, _ expected: Int, _ url: URL) -> Void

    /// Receives the image, the file's bytes, the error, the source, whether this is the end, and the URL.
    public typealias CompletionCallback =
        @MainActor @Sendable (
            _ image: DecodedImage?, _ data: Data?, _ error: ImageError?, _ source: ImageSource?, _ finished: Bool,
            _ url: URL
        ) -> Void

    /// Loads an image and calls back on the main actor. If this is called there and the image is in memory, the
    /// callback precedes the return.
    @discardableResult
    public func load(
        _ url: URL, options: LoadOptions = [], isolation: isolated (any Actor)? = #isolation,
        progress: ProgressCallback? = nil, completion: @escaping CompletionCallback
    ) -> ImageTask {
        load(ImageRequest(url) { $0.options = options }, progress: progress, completion: completion)
    }

    /// Loads an image and calls back on the main actor, in the same way.
    @discardableResult
    public func load(
        _ request: ImageRequest, isolation: isolated (any Actor)? = #isolation,
        progress: ProgressCallback? = nil, completion: @escaping CompletionCallback
    ) -> ImageTask {
        let (task, events) = loadWithEvents(request)
        let url = request.url
        // Only a memory hit is delivered before the return. Another load may have ended on another thread, and its
        // progress is delivered first.
        if isolation === MainActor.shared, let response = task.responseFromMemory {
            MainActor.assumeIsolated { completion(response.image, response.data, nil, response.source, true, url) }
            return task
        }
        Task { @MainActor in
            for await event in events {
                event.call(url, { progress?($0, $1, $2) }, { completion($0, $1, $2, $3, $4, $5) })
            }
        }
        return task
    }

    /// Loads an image and calls back on an executor, one call at a time. The load does not run there.
    @discardableResult
    public func load(
        _ request: ImageRequest, on executor: any TaskExecutor,
        progress: (@Sendable (_ received: Int, _ expected: Int, _ url: URL) -> Void)? = nil,
        completion:
            @escaping @Sendable (
                _ image: DecodedImage?, _ data: Data?, _ error: ImageError?, _ source: ImageSource?, _ finished: Bool,
                _ url: URL
            ) -> Void
    ) -> ImageTask {
        let (task, events) = loadWithEvents(request)
        let url = request.url
        Task(executorPreference: executor) {
            for await event in events { event.call(url, { progress?($0, $1, $2) }, completion) }
        }
        return task
    }

    /// Starts a load, and returns its task and all its events.
    private func loadWithEvents(_ request: ImageRequest) -> (ImageTask, AsyncStream<LoadEvent>) {
        var events: AsyncStream<LoadEvent>?
        let task = load(request) { events = $0.events }
        return (task, events ?? task.events)
    }
}

extension LoadEvent {
    /// Calls the callback for an event.
    fileprivate func call(
        _ url: URL, _ progress: (Int, Int, URL) -> Void,
        _ completion: (DecodedImage?, Data?, ImageError?, ImageSource?, Bool, URL) -> Void
    ) {
        switch self {
        case .progress(let report): progress(report.received, report.expected ?? -1, url)
        case .cached(let response), .preview(let response):
            completion(response.image, response.data, nil, response.source, false, url)
        case .finished(.success(let response)):
            completion(response.image, response.data, nil, response.source, true, url)
        case .finished(.failure(let error)): completion(nil, nil, error, nil, true, url)
        }
    }
}
