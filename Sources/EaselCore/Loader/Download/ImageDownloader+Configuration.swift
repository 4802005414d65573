import CEaselSystem
public import EaselFoundation

extension ImageDownloader {
    /// The configuration of a downloader.
    public struct Configuration: Sendable {
        /// The number of exchanges at a time: 24.
        public var concurrentTransfers = 24
        /// The number of downloads at a time from one host, that of their URLs, also if they are redirected: 6.
        public var concurrentTransfersPerHost = 6
        /// The order of downloads of equal priority.
        public var order = Order.fifo
        /// How often a download may start; `nil` for no limit.
        public var startRate: RateLimit?
        /// The most redirects of a download: 10.
        public var maximumRedirects = 10
        /// Default headers. Those of a request take precedence.
        public var headers: HTTPHeaders = ["Accept": "image/*,*/*;q=0.8", "User-Agent": "Easel"]
        /// Whether partial downloads are stored and resumed, if the server names versions (a strong `ETag`) and serves
        /// ranges.
        public var resumesDownloads = true
        /// The folder of partial downloads. `nil` uses that of the manager's cache (`ImageCaching.partialFolder`), for
        /// requests whose file is stored on disk.
        public var partialFolder: String?
        /// The allowed hosts: all. A server sets `.publicHostsOnly`.
        public var hostGuard = HostGuard()
        /// The limit of retries for one host, so that a failing host does not get several times as many requests: 100
        /// at once, and 10 per second. `nil` for no limit.
        public var retryBudget: RateLimit? = RateLimit(burst: 100, perSecond: 10)
        /// Returns whether this machine has a network, for `RetryPolicy.waitsForNetwork`: by default, whether an
        /// interface other than the loopback one is up and has an address. Called every second while downloads wait.
        package var isNetworkUp: @Sendable () -> Bool = { easel_network_is_up() }
        /// The cookies of requests with `ImageRequest.HTTP.handlesCookies`.
        public var cookies = CookieStore()
        /// The part of the whole, from 0 to 1, after which progress is reported again. The first and last progress are
        /// always reported, and every progress if the length is unknown.
        public var minimumProgressInterval = 0.0

        /// The accepted statuses: 200 to 299.
        public var acceptableStatusCodes = Set(200..<300)
        /// The accepted content types, in lower case and without parameters, such as `image/*`. `nil` accepts all: the
        /// format is determined by the content.
        public var acceptableContentTypes: Set<String>?

        /// Changes the first request of each attempt, for example its headers, before it is sent, or refuses it with
        /// `nil`.
        ///
        /// Its changes are not part of cache keys: set a user's identity in the `ImageRequest`, for example in an
        /// `ImageManager.Configuration.optionsProcessor`.
        public var requestModifier: (@Sendable (HTTPRequest) async throws -> HTTPRequest?)?
        /// Changes each response other than redirects before it is read, or refuses it with `nil`.
        public var responseModifier: (@Sendable (HTTPResponse) async throws -> HTTPResponse?)?
        /// Decrypts the body, or refuses it with `nil`. The decrypted file is cached.
        public var decryptor: (@Sendable (Data) async throws -> Data?)?

        /// Sets the `Accept` header to the formats of `coders`, other images, and then anything. The module `Easel`
        /// calls it for its coders.
        public mutating func accept(_ coders: CoderRegistry) {
            let types = coders.readableFormats.map(\.mediaType).filter { $0.hasPrefix("image/") }
            headers["Accept"] = (types + ["image/*;q=0.9", "*/*;q=0.8"]).joined(separator: ",")
        }
    }

    /// The order of downloads of equal priority.
    public enum Order: Sendable, Hashable {
        /// First in, first out.
        case fifo
        /// Last in, first out: images that were scrolled to last are loaded first.
        case lifo
    }
}

// The hooks are called outside of every lock.
extension ImageDownloader.Configuration {
    /// Returns the configuration with the hooks of a request.
    func override(with http: ImageRequest.HTTP) -> Self {
        var configuration = self
        if let modifier = http.requestModifier { configuration.requestModifier = modifier.value }
        if let modifier = http.responseModifier { configuration.responseModifier = modifier.value }
        if let decryptor = http.decryptor { configuration.decryptor = decryptor.value }
        return configuration
    }

    /// Applies the request modifier.
    func modify(_ request: HTTPRequest) async throws(ImageError) -> HTTPRequest {
        try await Self.apply(requestModifier, to: request) {
            .invalidRequest("the request modifier \($0.map { "failed: \($0)" } ?? "refused it").")
        }
    }

    /// Applies the response modifier.
    func modify(_ response: HTTPResponse) async throws(ImageError) -> HTTPResponse {
        try await Self.apply(responseModifier, to: response) {
            .invalidResponse("the response modifier \($0.map { "failed: \($0)" } ?? "refused it").")
        }
    }

    /// Checks the status, then the content type.
    ///
    /// - Parameter isRemainder: Whether the response continues a part. Its status then counts as that of the whole.
    /// - Throws: `ImageError.status`, `.contentType`.
    func check(_ response: HTTPResponse, isRemainder: Bool) throws(ImageError) {
        let status = isRemainder && response.status == 206 ? 200 : response.status
        guard acceptableStatusCodes.contains(status) else { throw .status(response.status) }
        if let acceptableContentTypes {
            let type = response.mediaType
            guard acceptableContentTypes.contains(where: { Self.matches(type, $0) }) else {
                throw .contentType(type.isEmpty ? "no content type" : type)
            }
        }
    }

    /// Applies the decryptor.
    func decrypt(_ data: Data) async throws(ImageError) -> Data {
        let decrypted = try await Self.apply(decryptor, to: data) {
            .badData("The file could not be decrypted\($0.map { ": \($0)" } ?? "").")
        }
        guard !decrypted.isEmpty else { throw .badData("The file could not be decrypted.") }
        return decrypted
    }

    /// Applies a hook. Rethrows an `ImageError`. `wrap` makes the error of another one, or of a refusal.
    private static func apply<Value>(
        _ hook: (@Sendable (Value) async throws -> Value?)?, to value: Value, wrap: ((any Error)?) -> ImageError
    ) async throws(ImageError) -> Value {
        guard let hook else { return value }
        let result: Value?
        do {
            result = try await hook(value)
        } catch let error as ImageError {
            throw error
        } catch {
            throw error is CancellationError ? .cancelled : wrap(error).caused(by: error)
        }
        if Task.isCancelled { throw .cancelled }
        guard let result else { throw wrap(nil) }
        return result
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
