import EaselCodecs
public import EaselCore

extension ImageManager {
    /// A manager for tests: nothing in it but a cache, all coders, and a transport and a clock that the test commands.
    ///
    /// ```swift
    /// let transport = FakeTransport()
    /// let clock = ManualClock()
    /// let manager = ImageManager.testing(over: transport, clock: clock)
    /// ```
    ///
    /// - Parameters:
    ///   - transport: a `FakeTransport`, by default one without answers, or a real one to an `OriginServer`.
    ///   - clock: what the waits between retries and the memory of failed URLs are measured by.
    ///   - cache: where images are kept: in memory alone.
    public static func testing(
        over transport: some HTTPTransport = FakeTransport(), clock: some Clock<Duration> = ContinuousClock(),
        cache: any ImageCaching = ImageCache(folder: nil as String?)
    ) -> ImageManager {
        var configuration = Configuration()
        configuration.cache = cache
        configuration.loader = ImageLoaderChain([
            ImageDownloader(transport: transport, clock: clock), FileLoader(), DataURLLoader(),
        ])
        configuration.coders = .standard()
        configuration.use(clock)
        return ImageManager(configuration: configuration)
    }
}
