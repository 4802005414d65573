public import EaselFoundation

/// Loads that call back, as those who come from SDWebImage know them (S051).
///
/// Their order is SDWebImage's: progress while bytes come; what `refreshCached` found (S068), a placeholder of the request's
/// own and previews (S097) with `finished` false; then the end, once, with `finished` true, a cancelled load's included (X058).
/// Nothing is called behind the end. That a refreshed picture has not changed is told too, by the same picture (S096 is not
/// copied): whoever waits for the end gets it.
extension ImageManager {
    /// Bytes received, bytes expected (-1 while unknown), and the URL (S020, S191).
    public typealias ProgressCallback = @MainActor @Sendable (_ received: Int, _ expected: Int, _ url: URL) -> Void

    /// The picture, the file's bytes, the error, where it comes from, whether this is the end, and the URL (S019).
    public typealias CompletionCallback =
        @MainActor @Sendable (
            _ image: DecodedImage?, _ data: Data?, _ error: ImageError?, _ source: ImageSource?, _ finished: Bool,
            _ url: URL
        ) -> Void

    /// Loads a picture and calls back on the main actor (X057): what is known when this is called from there, such as a
    /// picture in memory, before it returns (X084), and everything else later.
    @discardableResult
    public func load(
        _ url: URL, options: LoadOptions = [], isolation: isolated (any Actor)? = #isolation,
        progress: ProgressCallback? = nil, completion: @escaping CompletionCallback
    ) -> ImageTask {
        load(ImageRequest(url) { $0.options = options }, progress: progress, completion: completion)
    }

    /// Loads a picture and calls back on the main actor, in the same way.
    @discardableResult
    public func load(
        _ request: ImageRequest, isolation: isolated (any Actor)? = #isolation, progress: ProgressCallback? = nil,
        completion: @escaping CompletionCallback
    ) -> ImageTask {
        // Taken before the load begins: its first progress may come at once.
        var stream: AsyncStream<LoadEvent>?
        let task = load(request) { stream = $0.events }
        let url = request.url
        // Another load may have ended by now, on another thread: its events come later, its progress first.
        if isolation === MainActor.shared, let response = task.responseFromMemory {
            MainActor.assumeIsolated { Self.call(.finished(.success(response)), url, progress, completion) }
            return task
        }
        let events = stream ?? task.events
        Task { @MainActor in
            for await event in events { Self.call(event, url, progress, completion) }
        }
        return task
    }

    /// Loads a picture and calls back on an executor (X021), one call at a time. Neither the load nor its work run there.
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
        var stream: AsyncStream<LoadEvent>?
        let task = load(request) { stream = $0.events }
        let url = request.url
        let events = stream ?? task.events
        Task(executorPreference: executor) {
            for await event in events {
                switch event {
                case .progress(let report): progress?(report.received, report.expected ?? -1, url)
                default: Self.told(event, url) { completion($0, $1, $2, $3, $4, $5) }
                }
            }
        }
        return task
    }

    @MainActor
    private static func call(
        _ event: LoadEvent, _ url: URL, _ progress: ProgressCallback?, _ completion: CompletionCallback
    ) {
        if case .progress(let report) = event {
            progress?(report.received, report.expected ?? -1, url)
        } else {
            told(event, url) { completion($0, $1, $2, $3, $4, $5) }
        }
    }

    /// An event that is no progress, in the form that SDWebImage's completions have.
    private static func told(
        _ event: LoadEvent, _ url: URL,
        _ completion: (DecodedImage?, Data?, ImageError?, ImageSource?, Bool, URL) -> Void
    ) {
        switch event {
        case .progress: break
        case .cached(let response), .preview(let response):
            completion(response.image, response.data, nil, response.source, false, url)
        case .finished(.success(let response)):
            completion(response.image, response.data, nil, response.source, true, url)
        case .finished(.failure(let error)):
            completion(nil, nil, error, nil, true, url)
        }
    }
}
