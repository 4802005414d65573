import EaselCodecs
public import EaselCore

extension ImageManager {
    /// Returns a manager for tests: a cache, all coders, and a transport and clock that the test controls.
    ///
    /// ```swift
    /// let transport = FakeTransport()
    /// let clock = ManualClock()
    /// let manager = ImageManager.testing(over: transport, clock: clock)
    /// ```
    ///
    /// - Parameters:
    ///   - transport: a `FakeTransport`, by default one without responses, or a real transport to an `OriginServer`.
    ///   - clock: the clock for delays between retries and for the expiry of failed URLs.
    ///   - cache: the image cache; by default only in memory.
    public static func testing(
        over transport: some HTTPTransport = FakeTransport(), clock: some Clock<Duration> = ContinuousClock(),
        cache: (any ImageCaching)? = nil
    ) -> ImageManager {
        var configuration = Configuration()
        configuration.cache = cache ?? ImageCache(folder: nil as String?)
        configuration.loader = ImageLoaderChain([
            ImageDownloader(transport: transport, clock: clock), FileLoader(), DataURLLoader(),
        ])
        configuration.coders = .standard()
        configuration.clock = LoadClock(clock)
        return ImageManager(configuration: configuration)
    }
}
