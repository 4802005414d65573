public import EaselCore

extension ImageDownloader {
    /// Creates a downloader that uses the system's URLSession.
    public convenience init(
        overURLSession transport: URLSessionTransport = .shared, _ configure: (inout Configuration) -> Void = { _ in }
    ) {
        self.init(transport: transport, configure)
    }
}
#if canImport(ImageIO)

extension ImageManager {
    /// The manager of the process that needs only EaselCore and the system. It caches in the application's cache
    /// folder, loads with URLSession, decodes with Image I/O, and responds to application events.
    ///
    /// If the module `Easel` can be built, `ImageManager.shared` is faster and more precise.
    @MainActor public static let apple: ImageManager = {
        let cache = ImageCache(.caches())
        hooks = ApplicationHooks(cache)
        return ImageManager(overURLSession: cache)
    }()

    @MainActor private static var hooks: ApplicationHooks?

    /// Creates a manager like `apple` with a separate cache, changed by `configure`. It has no application hooks.
    public convenience init(
        overURLSession cache: any ImageCaching, _ configure: (inout Configuration) -> Void = { _ in }
    ) {
        var configuration = Configuration()
        configuration.cache = cache
        configuration.coders = CoderRegistry(decoders: ImageIOCoder.all, encoders: ImageIOEncoder.all)
        let coders = configuration.coders
        configuration.loader = ImageLoaderChain([
            ImageDownloader(overURLSession: .shared) { $0.accept(coders) }, FileLoader(), DataURLLoader(),
        ])
        configure(&configuration)
        self.init(configuration: configuration)
    }
}

extension CoderRegistry {
    /// Appends the system's coders for formats without another coder, such as HEIC and camera RAW.
    public func registerImageIO() {
        for coder in ImageIOCoder.all.reversed() { registerFallback(coder) }
        for encoder in ImageIOEncoder.all.reversed() { registerFallback(encoder) }
    }
}
#endif
