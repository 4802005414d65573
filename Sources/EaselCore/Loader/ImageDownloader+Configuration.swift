public import EaselFoundation

extension ImageDownloader {
    /// How a downloader works.
    public struct Configuration: Sendable {
        /// Exchanges at a time, for all hosts together: 24.
        public var concurrentTransfers = 24
        /// Exchanges at a time with one host: 6 (S188).
        public var concurrentTransfersPerHost = 6
        /// Who of equals goes first: first come (S144, X127).
        public var order = Order.fifo
        /// How often a download may start; `nil` sets no bound. Who waits for it goes by priority and order, as always,
        /// and who is cancelled meanwhile costs nothing (B72).
        public var startRate: RateLimit?
        /// Redirects that are followed: 10.
        public var maximumRedirects = 10
        /// Sent with every request, unless the request sets them itself.
        public var headers: HTTPHeaders = ["Accept": "image/*,*/*;q=0.8", "User-Agent": "Easel"]
        /// Whether what has come of a download is kept until it is whole, so that it goes on after a failure, or in another
        /// process: on. Of use only where servers name versions (a strong `ETag`) and serve ranges (P011).
        public var resumesDownloads = true
        /// Where that is kept; `nil` for where the manager's cache has its place for it (`ImageCaching.partialFolder`), and
        /// nowhere for requests whose file is not kept on disk.
        public var partialFolder: String?
        /// Where requests may go: everywhere. Servers take `.publicHostsOnly` (B90).
        public var `guard` = HostGuard.off
        /// How many new attempts each host gets from all downloads together, so that one that is down is not asked several
        /// times as often as before: 100 at once, and 10 a second. `nil` sets no bound.
        public var retryBudget: RateLimit? = RateLimit(burst: 100, perSecond: 10)
        /// Tells whether there is a network, for `RetryPolicy.waitsForNetwork`; without it nobody waits.
        public var reachability: (any NetworkReachability)?
        /// Where cookies are kept for requests that handle them (`ImageRequest.HTTP.handlesCookies`, S083).
        public var cookies = CookieStore()
        /// Progress is reported when this part of the whole has come since the last report, from 0 to 1; the first and the
        /// last are always, and every one where the length is unknown (X119, X134).
        public var minimumProgressInterval = 0.0

        /// Statuses that are pictures: 200 to 299 (X119).
        public var acceptableStatusCodes = Set(200..<300)
        /// Content types that are pictures, in lower case and without parameters; `image/*` stands for all that begin so.
        /// `nil` takes every one: what a file is decides its content (X119).
        public var acceptableContentTypes: Set<String>?

        /// Chooses the headers of a request to a URL from those that it would have (S188, S199).
        public var headerFilter: (@Sendable (_ url: String, HTTPHeaders) -> HTTPHeaders)?
        /// Changes each attempt's first request before it is sent, or refuses it with `nil` (X123, B89).
        ///
        /// What it adds is not in the keys of the cache: who asks belongs in the request itself, which an
        /// `ImageManager.Configuration.optionsProcessor` can see to.
        public var requestModifier: (@Sendable (HTTPRequest) async throws -> HTTPRequest?)?
        /// Changes each answer that is no redirect before it is looked at, or refuses it with `nil` (X139).
        public var responseModifier: (@Sendable (HTTPResponse) async throws -> HTTPResponse?)?
        /// Makes the file of what came, or refuses it with `nil` (X130, X141). What is cached is the file.
        public var decryptor: (@Sendable (Data) async throws -> Data?)?

        /// The defaults named above.
        public init() {}

        /// Names to servers what `coders` read, for those that choose a format by it; other pictures and anything else
        /// come after (X122). The module `Easel` does so for its own coders.
        public mutating func accept(_ coders: CoderRegistry) {
            let types = coders.readableFormats.map(\.mediaType).filter { $0.hasPrefix("image/") }
            headers["Accept"] = (types + ["image/*;q=0.9", "*/*;q=0.8"]).joined(separator: ",")
        }
    }

    /// Who of equal priority goes first.
    public enum Order: Sendable, Hashable {
        /// First come, first served.
        case fifo
        /// Last come, first served: what was scrolled to last is seen first.
        case lifo
    }
}
