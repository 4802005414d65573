#if Server
import EaselCodecs
public import EaselCore
import EaselFoundation
public import EaselServerTiers
public import EaselServerURLs

extension ImageRoutes {
    /// The settings of image routes.
    ///
    /// By default, a URL needs a signature, sources are public hosts only, and results are kept in memory.
    public struct Configuration: Sendable {
        /// The rules of URLs: keys, presets, allowed options and sources.
        public var urls = URLRules()
        /// The hosts with an address of this machine or the local network that sources may be on. `*.` and a name stands
        /// for all names below it.
        public var privateHosts: Set<String> = []
        /// The folder of `local:///` sources; `nil` for none.
        public var localRoot: String?
        /// Loads further schemes, such as `s3:`.
        public var loaders: [any ImageLoading] = []
        /// The decoders and encoders. Isolate them in a sandbox (`CoderRegistry.isolate(_:in:)`) if sources are not
        /// trusted.
        public var coders = CoderRegistry.standard()

        /// The limits of sources: 50 megapixels, 50 MB and 1,000 frames.
        public var sourceLimits = ImageLimits(pixels: 50_000_000, bytes: 50 << 20, frames: 1_000)
        /// The most pixels of a result.
        public var resultPixels = 50_000_000
        /// The longest time to connect to a source, and without a byte from it.
        public var sourceTimeout = Duration.seconds(15)
        /// The longest time of a request, with all waits.
        public var deadline = Duration.seconds(30)
        /// The number of requests to sources at a time, and to one host.
        public var concurrentTransfers = 64
        /// The number of requests to one host at a time.
        public var concurrentTransfersPerHost = 16

        /// The number of requests whose results are made at a time. By default eight for each processor.
        public var concurrentRequests = 8 * coreCount
        /// The number of requests that wait. Further ones are answered with 503 at once.
        public var queueLength = 256
        /// The most bytes of pixels in work. By default a quarter of the memory that the process may use.
        public var pixelBytes = MemoryAllowance.ofProcess.byteCount / 4

        /// The bytes of results in memory. By default an eighth of the memory that the process may use, at most 256 MB.
        public var memoryBytes = min(MemoryAllowance.ofProcess.byteCount / 8, 256 << 20)
        /// The folder of results and sources on disk. Without one, a quarter of `memoryBytes` is used for sources in
        /// addition.
        public var cacheFolder: String?
        /// The bytes of results on disk, and again of sources.
        public var diskBytes = ByteCount.megabytes(1024)
        /// Caches that several servers share, in the order of their speed. Use a `GuardedTier` for each.
        public var sharedTiers: [any SharedTier] = []
        /// The leases by which several servers make each result once; `nil` for none.
        public var leases: (any LeaseProvider)?

        /// The lifetime of results whose source has none, and of files: a day.
        public var standardLifetime = Duration.seconds(86_400)
        /// The lifetime of all results, whatever their source says; `nil` for that of the source.
        public var fixedLifetime: Duration?
        /// The time for which a stale result may be used while it is made again, if the source does not say it.
        public var staleWhileRevalidate = Duration.zero

        /// The formats that are chosen if a client accepts them, the first one first.
        public var negotiatedFormats: [ImageFormat] = [.jxl, .avif, .webp]
        /// The qualities of formats, from 1 to 100.
        public var qualities: [ImageFormat: Int] = [:]
        /// Whether the client hints `DPR` and `Width` apply.
        public var usesClientHints = false
        /// The image that the option `watermark` places.
        public var watermark: DecodedImage?
        /// The source that is used instead of one that fails, such as `local:///missing.png`.
        public var fallback: String?

        /// The value of `Access-Control-Allow-Origin`; `nil` for no field.
        public var allowedOrigin: String? = "*"
        /// Whether browsers save images instead of showing them, unless the URL says otherwise.
        public var savesByDefault = false
        /// The addresses and networks of proxies whose `X-Forwarded-For` is believed; `unix` for a Unix socket.
        public var trustedProxies: [String] = []
        /// The header by which trusted proxies identify clients, for fairness; `nil` uses the address.
        public var clientHeader: String?

        /// Whether `/health/live`, `/health/ready` and `/metrics` are answered.
        public var showsOperations = true
        /// The token that `PURGE` needs; `nil` refuses it.
        public var purgeToken: String?
        /// The descriptor that a line for each request is written to; `nil` for no log.
        public var logDescriptor: Int32?
        /// Returns the counts of the decoders' sandbox, for metrics.
        public var sandboxStatistics: @Sendable () -> SandboxStatistics? = { nil }

        /// Creates a configuration with the default values.
        ///
        /// - Parameters:
        ///   - signingKeys: The keys of valid signatures. Without any, every URL is refused, unless
        ///     `urls.allowsUnsigned` is set.
        ///   - sources: The sources that images may come from.
        public init(signingKeys: [SigningKey] = [], sources: AllowedSources = .any) {
            urls.keys = signingKeys
            urls.sources = sources
        }
    }
}
#endif
