public import EaselFoundation

extension ImageDownloader {
    /// The configuration of a downloader.
    public struct Configuration: Sendable {
        /// Exchanges at a time, for all hosts together: 24.
        public var concurrentTransfers = 24
        /// Exchanges at a time with one host: 6.
        public var concurrentTransfersPerHost = 6
        /// The order of downloads of equal priority: first in, first out.
        public var order = Order.fifo
        /// How often a download may start; `nil` sets no bound.
        public var startRate: RateLimit?
        /// The most redirects of a download: 10.
        public var maximumRedirects = 10
        /// Default headers, for requests that do not set them.
        public var headers: HTTPHeaders = ["Accept": "image/*,*/*;q=0.8", "User-Agent": "Easel"]
        /// Whether partial downloads are kept and resumed, also by another process: on. Servers have to name versions
        /// (a strong `ETag`) and to serve ranges.
        public var resumesDownloads = true
        /// The folder of partial downloads; `nil` for that of the manager's cache (`ImageCaching.partialFolder`), and
        /// none for requests whose file is not stored on disk.
        public var partialFolder: String?
        /// The hosts that may be loaded from: all. A server sets `.publicHostsOnly`.
        public var `guard` = HostGuard.off
        /// The retries of all downloads from one host, so that a host in trouble does not get several times as many
        /// requests: 100 at once, and 10 a second. `nil` sets no bound.
        public var retryBudget: RateLimit? = RateLimit(burst: 100, perSecond: 10)
        /// Tells whether there is a network, for `RetryPolicy.waitsForNetwork`, which has no effect without it.
        public var reachability: (any NetworkReachability)?
        /// The cookies of requests that handle them (`ImageRequest.HTTP.handlesCookies`).
        public var cookies = CookieStore()
        /// The part of the whole, from 0 to 1, after which progress is reported again. The first and the last are
        /// always reported, and all if the length is unknown.
        public var minimumProgressInterval = 0.0

        /// The statuses of an image: 200 to 299.
        public var acceptableStatusCodes = Set(200..<300)
        /// The content types of an image, in lower case and without parameters; `image/*` stands for all that begin so.
        /// `nil` accepts all: the format is determined by the content.
        public var acceptableContentTypes: Set<String>?

        /// Changes the headers of a request to a URL.
        public var headerFilter: (@Sendable (_ url: String, HTTPHeaders) -> HTTPHeaders)?
        /// Changes each attempt's first request before it is sent, or refuses it with `nil`.
        ///
        /// Its changes are not part of the cache's keys: a user's identity belongs in the request itself, where an
        /// `ImageManager.Configuration.optionsProcessor` can set it.
        public var requestModifier: (@Sendable (HTTPRequest) async throws -> HTTPRequest?)?
        /// Changes each response that is no redirect before it is read, or refuses it with `nil`.
        public var responseModifier: (@Sendable (HTTPResponse) async throws -> HTTPResponse?)?
        /// Decrypts the body, or refuses it with `nil`. The decrypted file is cached.
        public var decryptor: (@Sendable (Data) async throws -> Data?)?

        /// The defaults named above.
        public init() {}

        /// Sets the `Accept` header to the formats of `coders`, then other images, then anything. The module `Easel`
        /// does so for its own coders.
        public mutating func accept(_ coders: CoderRegistry) {
            let types = coders.readableFormats.map(\.mediaType).filter { $0.hasPrefix("image/") }
            headers["Accept"] = (types + ["image/*;q=0.9", "*/*;q=0.8"]).joined(separator: ",")
        }
    }

    /// The order of downloads of equal priority.
    public enum Order: Sendable, Hashable {
        /// First in, first out.
        case fifo
        /// Last in, first out: what was scrolled to last is seen first.
        case lifo
    }
}

/// The hooks, which are called outside of every lock.
extension ImageDownloader.Configuration {
    /// The same with the hooks of a request in place of the downloader's.
    func overridden(by http: ImageRequest.HTTP) -> Self {
        var configuration = self
        if let modifier = http.requestModifier { configuration.requestModifier = modifier.value }
        if let modifier = http.responseModifier { configuration.responseModifier = modifier.value }
        if let decryptor = http.decryptor { configuration.decryptor = decryptor.value }
        return configuration
    }

    /// Applies the header filter and the request modifier.
    ///
    /// - Throws: `ImageError.invalidRequest` if the modifier refuses, and its errors.
    func modify(_ request: HTTPRequest) async throws(ImageError) -> HTTPRequest {
        var request = request
        if let headerFilter { request.headers = headerFilter(request.url, request.headers) }
        guard let requestModifier else { return request }
        let modified = try await Self.call({ try await requestModifier(request) }) { reason in
            .invalidRequest("the request modifier failed: \(reason)")
        }
        guard let modified else { throw .invalidRequest("the request modifier refused it.") }
        return modified
    }

    /// Applies the response modifier.
    ///
    /// - Throws: `ImageError.invalidResponse` if the modifier refuses, and its errors.
    func modify(_ response: HTTPResponse) async throws(ImageError) -> HTTPResponse {
        guard let responseModifier else { return response }
        let modified = try await Self.call({ try await responseModifier(response) }) { reason in
            .invalidResponse("the response modifier failed: \(reason)")
        }
        guard let modified else { throw .invalidResponse("the response modifier refused it.") }
        return modified
    }

    /// Checks the status, then the content type.
    ///
    /// - Throws: `ImageError.status`, `.contentType`.
    func check(_ response: HTTPResponse) throws(ImageError) {
        guard acceptableStatusCodes.contains(response.status) else { throw .status(response.status) }
        if let acceptableContentTypes {
            let type = response.mediaType
            guard acceptableContentTypes.contains(where: { Self.matches(type, $0) }) else {
                throw .contentType(type.isEmpty ? "no content type" : type)
            }
        }
    }

    /// Applies the decryptor.
    ///
    /// - Throws: `ImageError.badData` if it fails, and its errors.
    func decrypt(_ data: Data) async throws(ImageError) -> Data {
        guard let decryptor else { return data }
        let decrypted = try await Self.call({ try await decryptor(data) }) { reason in
            .badData("The file could not be decrypted: \(reason)")
        }
        guard let decrypted, !decrypted.isEmpty else { throw .badData("The file could not be decrypted.") }
        return decrypted
    }

    /// Passes an `ImageError` on, turns the end of the task into `cancelled`, and wraps other errors.
    private static func call<Value>(
        _ body: () async throws -> Value, wrap: (String) -> ImageError
    ) async throws(ImageError) -> Value {
        do {
            let value = try await body()
            if Task.isCancelled { throw ImageError.cancelled }
            return value
        } catch let error as ImageError {
            throw error
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw wrap("\(error).")
        }
    }

    private static func matches(_ type: String, _ pattern: String) -> Bool {
        pattern.hasSuffix("/*") ? type.hasPrefix(pattern.dropLast()) : type == pattern
    }
}

extension HTTPResponse {
    /// The content type without its parameters, in lower case; empty if there is none.
    fileprivate var mediaType: String {
        let type = (headers["Content-Type"] ?? "").prefix { $0 != ";" }
        return type.filter { $0 != " " && $0 != "\t" }.lowercased()
    }
}
