@_exported public import EaselCodecs
@_exported public import EaselCore
@_exported public import EaselHTTP
@_exported public import EaselViews

public import EaselFoundation

extension ImageManager {
    /// The shared manager. It has a memory cache, a disk cache in the user's cache folder, all coders of this module
    /// and a downloader.
    public static let shared = ImageManager()

    /// Creates a manager with the configuration of `shared`, which `configure` can change.
    public convenience init(_ configure: (inout Configuration) -> Void = { _ in }) {
        var configuration = Configuration()
        configuration.cache = ImageCache(folder: ImageCache.defaultFolder)
        configuration.loader = ImageLoaderChain([ImageDownloader(), FileLoader(), DataURLLoader()])
        configuration.coders = .standard()
        configure(&configuration)
        self.init(configuration: configuration)
    }
}

extension Animation {
    /// Creates an animation from a file, decoded by this module's coders.
    ///
    /// - Throws: The errors of `init(data:coders:options:)`.
    public convenience init(data: Data, options: DecodeOptions = DecodeOptions()) throws(ImageError) {
        try self.init(data: data, coders: .standard(), options: options)
    }
}

extension ImageDownloader {
    /// Creates a downloader that uses the shared transport and requests the formats of this module's coders.
    public convenience init(_ configure: (inout Configuration) -> Void = { _ in }) {
        self.init(transport: CurlTransport.shared) {
            $0.accept(.standard())
            configure(&$0)
        }
    }
}

extension CurlTransport {
    /// The shared transport of the process, which reuses connections. It sets no limit of connections per host, because
    /// each downloader limits its own transfers.
    public static let shared = CurlTransport(connectionsPerHost: nil)
}
