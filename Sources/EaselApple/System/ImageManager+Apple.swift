public import EaselCore

extension ImageDownloader {
    /// A downloader over the system's URLSession.
    public convenience init(
        overURLSession transport: URLSessionTransport = .shared, _ configure: (inout Configuration) -> Void = { _ in }
    ) {
        self.init(transport: transport, configure)
    }
}
#if canImport(ImageIO)

extension ImageManager {
    /// A manager for the whole process, of EaselCore and the system alone: it needs no library from elsewhere. Its files are
    /// in the application's caches, URLSession loads, Image I/O decodes, and the cache heeds the application's hooks.
    ///
    /// Where the module `Easel` can be built, `ImageManager.shared` is the faster one, and more exact.
    @MainActor public static let apple: ImageManager = {
        let cache = ImageCache(.caches())
        hooks = ApplicationHooks(cache)
        return ImageManager(overURLSession: cache)
    }()

    @MainActor private static var hooks: ApplicationHooks?

    /// A manager like `apple` over a cache of one's own, with whatever `configure` changes. It has no hooks.
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
    /// Adds what the system reads and writes behind the coders that are there: HEIC, camera RAW and the like, for those
    /// formats that have none yet.
    public func registerImageIO() {
        for coder in ImageIOCoder.all.reversed() { registerBehind(coder) }
        for encoder in ImageIOEncoder.all.reversed() { registerBehind(encoder) }
    }
}
#endif
