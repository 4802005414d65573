public import EaselFoundation

extension ImageRequest {
    /// Where a load looks and where it stores.
    public struct Cache: Sendable, Hashable {
        /// Where the image as asked for is looked for: in memory and on disk.
        public var query: CacheLevels = .all
        /// Where the image as asked for is stored: in memory and on disk. On disk, a request without a size and
        /// transforms asks for the original file: that is stored where both this and `storeOriginal` include the disk.
        public var store: CacheLevels = .all
        /// Whether the original file is looked for on disk, whatever is made of it. `.memory` changes nothing: memory
        /// keeps images, not files. A request for the original file itself looks for it where `query` includes the disk
        /// too.
        public var queryOriginal: CacheLevels = .disk
        /// Whether the original file is stored on disk, whatever is made of it. `.memory` changes nothing.
        public var storeOriginal: CacheLevels = .disk
        /// Replaces the URL in every key, if the same image has many URLs. Applied before the manager's key filter.
        public var key: String?
        /// The cache of the image as asked for, in place of the manager's. Part of no key: a cache has its own keys.
        public var imageCache: Identified<any ImageCaching>?
        /// The cache of the original file, in place of `imageCache`, whatever is made of the file.
        public var originalImageCache: Identified<any ImageCaching>?
        /// How the image as asked for is encoded for the disk: at a quality of 0.95. Part of the image's key.
        public var encoding: EncodeOptions?
        /// Makes what is written to disk for the original file, in place of the manager's serializer. The name is part
        /// of every key.
        public var serializer: Serializer?

        /// Returns what is written to disk for a file; `nil` writes nothing.
        public typealias Serializer = Identified<@Sendable (Data, ImageRequest) -> Data?>

        /// The defaults named above.
        public init() {}
    }

    /// What is sent to a server, and how long it may take.
    public struct HTTP: Sendable, Hashable {
        /// Added to, or in place of, the loader's default headers.
        public var headers = HTTPHeaders()
        /// Fields that identify the user: two requests that differ in one never share a load or an entry.
        /// `Authorization` and `Cookie` always do, and so do `credential`, `security.clientCertificate` and
        /// `handlesCookies`.
        public var identityHeaders: Set<String> = []
        /// Credentials of the user. They take precedence over a user and password in the URL, and an `Authorization`
        /// header over them. They are sent to the scheme, host and port of the request's URL and nowhere else.
        public var credential: HTTPCredential?
        /// Whether cookies are sent and kept (`ImageDownloader.Configuration.cookies`).
        public var handlesCookies = false
        /// The certificates to trust, and the client's own.
        public var security = HTTPSecurity()
        /// How long an exchange may take.
        public var timeouts = HTTPTimeouts()
        /// How the cache follows the server's caching headers: not at all, images are kept for ever.
        public var policy: CachePolicy = .forever
        /// The cached response to revalidate. A loader that can do so returns `LoadedData.notModified` if it is
        /// current; any other loads as usual.
        public internal(set) var stored: StoredResponse?
        /// Where a partial download is kept, unless the downloader has its own folder. The manager sets it, beside its
        /// cache.
        public internal(set) var partialFolder: String?
        /// Changes the request before it is sent, in place of the downloader's modifier. The name is part of every key.
        public var requestModifier: RequestModifier?
        /// Changes the response before it is read, in place of the downloader's modifier. The name is part of every
        /// key.
        public var responseModifier: ResponseModifier?
        /// Decrypts the body, in place of the downloader's decryptor. The name is part of every key.
        public var decryptor: Decryptor?
        /// How long the download may take in all, with waits, redirects and retries; `nil` sets no bound.
        public var deadline: Duration?

        /// Changes a request, or refuses it with `nil`.
        public typealias RequestModifier = Identified<@Sendable (HTTPRequest) async throws -> HTTPRequest?>
        /// Changes a response, or refuses it with `nil`.
        public typealias ResponseModifier = Identified<@Sendable (HTTPResponse) async throws -> HTTPResponse?>
        /// Returns the file, or refuses it with `nil`.
        public typealias Decryptor = Identified<@Sendable (Data) async throws -> Data?>

        /// No headers, the default timeouts and policy.
        public init() {}
    }
}

/// Credentials of a user.
public enum HTTPCredential: Sendable, Hashable {
    /// Sent with the first request (RFC 7617). Readable by anyone on the way unless the URL is https.
    case basic(user: String, password: String)
    /// Sent in answer to the server's challenge, and never as it is (RFC 7616).
    case digest(user: String, password: String)
    /// A token, sent with the first request (RFC 6750).
    case bearer(String)
}

extension HTTPCredential {
    /// The user and password of a URL.
    init?(_ url: URL) {
        // Spares most URLs the parsing.
        guard url.absoluteString.has("@"), let user = url.user(percentEncoded: false), !user.isEmpty else { return nil }
        self = .basic(user: user, password: url.password(percentEncoded: false) ?? "")
    }

    /// The header of the first request; `nil` if the server's challenge is needed.
    var authorization: String? {
        switch self {
        case .basic(let user, let password): "Basic " + Data((user + ":" + password).utf8).base64EncodedString()
        case .bearer(let token): "Bearer " + token
        case .digest: nil
        }
    }
}

/// The certificates of an https connection.
public struct HTTPSecurity: Sendable, Hashable {
    /// A file in PEM form of the certificates to trust, in place of the system's.
    public var trustedCertificateFile: String?
    /// The client's certificate. Like credentials it is sent to the host of the request's URL and nowhere else.
    public var clientCertificate: ClientCertificate?

    /// The system's certificates, and none of the client.
    public init() {}

    /// A certificate of the client's, and its private key.
    public struct ClientCertificate: Sendable, Hashable {
        /// A file in PEM form, with the certificates behind it where the server needs them.
        public var certificateFile: String
        /// A file in PEM form; it may be the same.
        public var keyFile: String
        /// For a key that is encrypted.
        public var password: String?

        /// A certificate in one file and its key in another.
        public init(certificateFile: String, keyFile: String, password: String? = nil) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
            self.password = password
        }
    }
}
