public import EaselFoundation

extension ImageManager {
    /// The parts of a manager, each of which can be replaced.
    public struct Configuration: Sendable {
        /// The cache. Only memory by default.
        public var cache: any ImageCaching = ImageCache(folder: nil as String?)
        /// The loader. Files and data URLs by default.
        public var loader: any ImageLoading = ImageLoaderChain([FileLoader(), DataURLLoader()])
        /// The decoders and encoders. Empty by default.
        public var coders = CoderRegistry()
        /// The number of loads at a time that may need a server, and again as many that the cache or the machine can
        /// answer. 256 by default. The others wait by priority, then in order of arrival, and take no more memory than
        /// their requests. Calls of `data(for:progress:)` do not count.
        public var concurrentLoads = 256
        /// Changes each request before it is processed. The delegate's transforms are already part of the request. The
        /// result replaces the request, including its options.
        public var optionsProcessor: (@Sendable (ImageRequest) -> ImageRequest)?
        /// Returns the text that replaces a URL in every key, or `nil` for the URL itself: without a query that is
        /// always new, for example. Called after `optionsProcessor`, and not for a request with a `cache.key`. The
        /// identity of the requester stays part of the key.
        public var keyFilter: (@Sendable (URL) -> String?)?
        /// Decides about loading, transforms and retries. The default delegate uses Easel's rules.
        public var delegate: any ImageManagerDelegate = DefaultDelegate()
        /// Returns the conditions of the network. None by default; called by each load that memory does not answer.
        /// Without a network, loads end at once with what is cached or with `ImageError.offline`, unless their retry
        /// policy waits for one.
        public var networkConditions: @Sendable () -> NetworkConditions = { [] }
        /// Requests time from the platform for a load with `LoadOptions.continueInBackground`. `nil` by default.
        ///
        /// It receives a function to call when the platform grants no more time, which cancels the load, and returns
        /// one that ends the request, which is called once. On iOS it calls `beginBackgroundTask` and
        /// `endBackgroundTask` of `UIApplication`.
        public var backgroundTime: (@Sendable (_ expired: @escaping @Sendable () -> Void) -> @Sendable () -> Void)?
        /// Returns the bytes to write to disk for an original file, or `nil` for none. They have to be an image that
        /// the coders read. By default, the file. Called on Easel's threads for pixels.
        public var serializer: (@Sendable (Data, ImageRequest) -> Data?)?
        /// Observe loads, stages and downloads. They are called in this order.
        public var observers: [any ImageObserver] = []
        /// The clock for waiting, for expiry, and for the dates that servers send.
        package var clock = LoadClock(ContinuousClock())
        /// The least time between two previews of a load with `LoadOptions.progressive`. 0.1 s by default. A slow
        /// decoder makes fewer, because a preview is followed by a pause of the same length.
        public var previewInterval: Duration = .milliseconds(100)

        /// Creates a configuration with the defaults above. The module `Easel` adds a downloader, coders and a folder.
        public init() {}
    }
}

/// A delegate that decides about the loads of a manager. Each method has a default, is called from any thread and
/// outside of locks, and must not block.
public protocol ImageManagerDelegate: Sendable {
    /// Returns whether the loader may be used for an image that is not cached, or has to be validated. If not, the load
    /// ends with the cached image or with `ImageError.notCached`.
    func imageManager(shouldLoad request: ImageRequest) -> Bool
    /// Returns the transforms of an image whose request has none, unless the request avoids that. They are part of the
    /// image's key, as the request's own transforms are.
    func imageManager(transformsFor request: ImageRequest) -> [ImageTransform]
    /// Returns the time for which a URL that failed is not tried again, or `nil` if it can be tried immediately.
    func imageManager(blockingTimeFor request: ImageRequest, after error: ImageError) -> Duration?
}

extension ImageManagerDelegate {
    /// Returns `true`.
    public func imageManager(shouldLoad request: ImageRequest) -> Bool { true }
    /// Returns no transforms.
    public func imageManager(transformsFor request: ImageRequest) -> [ImageTransform] { [] }
    /// Returns `ImageError.blockingTime`.
    public func imageManager(blockingTimeFor request: ImageRequest, after error: ImageError) -> Duration? {
        error.blockingTime
    }
}

struct DefaultDelegate: ImageManagerDelegate {}
