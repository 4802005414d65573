public import EaselFoundation

extension ImageManager {
    /// The parts of a manager, each of which can be replaced.
    public struct Configuration: Sendable {
        /// Where pictures are kept: in memory alone.
        public var cache: any ImageCaching = ImageCache(folder: nil as String?)
        /// Where they come from: files and data URLs.
        public var loader: any ImageLoading = ImageLoaderChain([FileLoader(), DataURLLoader()])
        /// Who decodes them: nobody.
        public var coders = CoderRegistry()
        /// Loads at a time that may have to fetch something: 256, and as many again whose file is in the cache or otherwise at
        /// hand. The others stand in line by priority, then in the order in which they came, and cost no more there than
        /// their requests. More than the downloader's own limits; files that are loaded alone do not count.
        public var concurrentLoads = 256
        /// Changes each request before anything else happens (X041), but for the delegate's transforms, which it sees. What it
        /// returns decides, also about options.
        public var optionsProcessor: (@Sendable (ImageRequest) -> ImageRequest)?
        /// Gives the text that replaces a URL in every key, `nil` for the URL itself (S057, X040): without a query that is
        /// new each time, say. Comes behind `optionsProcessor`; a request with a `cache.key` of its own is not asked about.
        /// Who asks stays part of the key (B26).
        public var keyFilter: (@Sendable (URL) -> String?)?
        /// Who has a say in what is loaded, transformed and tried again: nobody.
        public var delegate: any ImageManagerDelegate = DefaultDelegate()
        /// Who is asked for time behind the screen by loads with `LoadOptions.continueInBackground`: nobody.
        public var backgroundTime: (any BackgroundTime)?
        /// What is written to disk for an original file that came, `nil` for nothing (X054): the file. It has to be a
        /// picture that the coders read. Called on Easel's pixel threads, and only for what is to be written.
        public var serializer: (@Sendable (Data, ImageRequest) -> Data?)?
        /// Hears what happens.
        public var observer: (any ImageObserver)?
        /// The time since some fixed moment, for what expires.
        var now: @Sendable () -> Duration = {
            let start = ContinuousClock.now
            return { .now - start }
        }()
        /// The date, for what servers give dates for.
        var date: @Sendable () -> Date = { Date() }
        /// The clock of what waits.
        var clock = LoadClock(ContinuousClock())
        /// The least time from one preview to the next of a load with `LoadOptions.progressive`: 0.1 s. A slow decoder makes
        /// fewer: it rests for as long as it has worked (B93).
        public var previewInterval: Duration = .milliseconds(100)

        /// The parts named above: the module `Easel` adds a downloader, coders and a folder.
        public init() {}

        /// Lets what expires expire on another clock than the system's.
        public mutating func use(_ clock: some Clock<Duration>) {
            let start = clock.now
            now = { start.duration(to: clock.now) }
            date = wallClock(clock)
            self.clock = LoadClock(clock)
        }
    }
}

/// Has a say in what a manager does. Every method has a default; each is called from any thread, outside of every lock, and
/// must not block.
public protocol ImageManagerDelegate: Sendable {
    /// Whether a loader may be asked for what the cache does not have, or is to be asked about again (S058, X046): yes. Asked
    /// only then. Where not, the load ends with what is kept, or with `ImageError.notCached`.
    func imageManager(shouldLoad request: ImageRequest) -> Bool

    /// The transforms of a picture whose request names none (S059, X040, X041): none. Not asked where the request avoids that
    /// (X023). They are part of the picture's key, as the request's own are (R016).
    func imageManager(transformsFor request: ImageRequest) -> [ImageTransform]

    /// For how long a URL that failed so is left alone, `nil` for not at all (X048): `ImageError.blockingTime`.
    func imageManager(blockingTimeFor request: ImageRequest, after error: ImageError) -> Duration?
}

extension ImageManagerDelegate {
    /// Yes.
    public func imageManager(shouldLoad request: ImageRequest) -> Bool { true }

    /// None.
    public func imageManager(transformsFor request: ImageRequest) -> [ImageTransform] { [] }

    /// As long as errors of its kind last.
    public func imageManager(blockingTimeFor request: ImageRequest, after error: ImageError) -> Duration? {
        error.blockingTime
    }
}

struct DefaultDelegate: ImageManagerDelegate {}

/// Asks the platform to let an application run on for a while after it has left the screen (S082, R035).
///
/// On iOS it is `beginBackgroundTask` and `endBackgroundTask` of `UIApplication`.
public protocol BackgroundTime: Sendable {
    /// Begins to need time, and returns what ends that; it is called once.
    ///
    /// - Parameter expired: to be called when the platform grants no more. From any thread, also before `begin` returns.
    func begin(_ expired: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

extension BackgroundTime {
    /// Needs time until a load ends, and cancels it where there is no more (X145).
    func cover(_ task: ImageTask) {
        let end = begin { [weak task] in task?.cancel() }
        task.observeEnd { _ in end() }
    }
}
