#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ImageManager {
    /// Bytes received, bytes expected (-1 while unknown), and the URL (S020, S191).
    public typealias ProgressCallback = @MainActor @Sendable (_ received: Int, _ expected: Int, _ url: URL) -> Void

    /// The picture, the file's bytes, the error, where it comes from, whether this is the end, and the URL (S019).
    public typealias CompletionCallback =
        @MainActor @Sendable (
            _ image: DecodedImage?, _ data: Data?, _ error: ImageError?, _ source: ImageSource?, _ finished: Bool,
            _ url: URL
        ) -> Void

    /// Loads a picture and calls back on the main actor, as those who come from SDWebImage know it (S051).
    ///
    /// `completion` is called once with `finished` true, the end, a cancelled load's included (X058); before that only
    /// for what `refreshCached` found (S068) and for previews.
    @discardableResult
    public func load(
        _ url: URL, options: LoadOptions = [], progress: ProgressCallback? = nil,
        completion: @escaping CompletionCallback
    ) -> ImageTask {
        let task = load(ImageRequest(url) { $0.options = options })
        let events = task.events
        Task { @MainActor in
            for await event in events {
                switch event {
                case .progress(let report):
                    progress?(report.received, report.expected ?? -1, url)
                case .cached(let response), .preview(let response):
                    completion(response.image, response.data, nil, response.source, false, url)
                case .finished(.success(let response)):
                    completion(response.image, response.data, nil, response.source, true, url)
                case .finished(.failure(let error)):
                    completion(nil, nil, error, nil, true, url)
                }
            }
        }
        return task
    }
}
