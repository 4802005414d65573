@_exported public import EaselCodecs
@_exported public import EaselCore
@_exported public import EaselHTTP

public import EaselFoundation

extension ImageManager {
    /// A manager for the whole process: caches in memory and in the user's folder for caches, all coders of this
    /// module, and a downloader.
    public static let shared = ImageManager()

    /// A manager like `shared`, with whatever `configure` changes.
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
    /// The frames of a file, read by this module's coders.
    ///
    /// - Throws: as `init(data:coders:options:)`.
    public convenience init(data: Data, options: DecodeOptions = DecodeOptions()) throws(ImageError) {
        try self.init(data: data, coders: .standard(), options: options)
    }
}

extension ImageDownloader {
    /// A downloader over the transport that the whole process shares, which asks for what this module's coders read.
    public convenience init(_ configure: (inout Configuration) -> Void = { _ in }) {
        self.init(transport: CurlTransport.shared) {
            $0.accept(.standard())
            configure(&$0)
        }
    }
}

extension CurlTransport {
    /// The transport that the whole process shares, so that connections are used again. Each downloader bounds its own
    /// transfers with a host; the transport adds no bound.
    public static let shared = CurlTransport(connectionsPerHost: nil)
}
