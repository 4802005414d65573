public import EaselFoundation

extension ImageRequest {
    /// The caches that a load reads and writes.
    public struct Cache: Sendable, Hashable {
        /// The levels that are searched for the requested image.
        public var query: CacheLevels = .all
        /// The levels in which the requested image is stored. Without a size and transforms it is the original file on
        /// disk, which is stored if both this and `storeOriginal` include the disk.
        public var store: CacheLevels = .all
        /// Whether the disk is searched for the original file. `.memory` has no effect: memory holds images, not files.
        /// A request for the original searches the disk also if `query` includes it.
        public var queryOriginal: CacheLevels = .disk
        /// Whether the original file is stored on disk. `.memory` has no effect.
        public var storeOriginal: CacheLevels = .disk
        /// Names of groups that the URL belongs to, for `ImageCaching.removeAll(tagged:)` and `urls(tagged:)`. The
        /// cache needs a folder, in which the tag and the URL are stored. Not part of any key.
        public var tags: Set<String> = []
        /// Whether the URL is pinned (`ImageCaching.pin(_:)`). Not part of any key.
        public var isPinned = false
        /// Replaces the URL in every key, for images with several URLs. Takes precedence over the
        /// manager's key filter.
        public var key: String?
        /// The cache for the requested image, instead of the manager's. Not part of any key.
        public var imageCache: Identified<any ImageCaching>?
        /// The cache for the original file, instead of `imageCache`.
        public var originalImageCache: Identified<any ImageCaching>?
        /// How the requested image is encoded for the disk: by default with a quality of 0.95. Part of the image's key.
        public var encoding: EncodeOptions?
        /// Returns the data to write to disk for an original file, or `nil` to write nothing. Replaces the manager's
        /// serializer. The name is part of every key.
        public var serializer: Identified<@Sendable (Data, ImageRequest) -> Data?>?
    }

    /// The requests to the server, and their timeouts.
    public struct HTTP: Sendable, Hashable {
        /// Header fields that replace the loader's default ones.
        public var headers = HTTPHeaders()
        /// The names of fields that identify the user: requests that differ in one share neither loads nor cache
        /// entries. `Authorization`, `Cookie`, `credential`, `security.clientCertificate` and `handlesCookies` always
        /// have this effect.
        public var identityHeaders: Set<String> = []
        /// The user's credentials. They replace a user and password in the URL; an `Authorization` header replaces
        /// them. They are sent only to the scheme, host and port of the request's URL.
        public var credential: HTTPCredential?
        /// Whether cookies are sent and stored (`ImageDownloader.Configuration.cookies`).
        public var handlesCookies = false
        /// The trusted certificates, and the client's certificate.
        public var security = HTTPSecurity()
        /// The timeouts of each exchange.
        public var timeouts = HTTPTimeouts()
        /// How caching headers are followed. By default they are ignored, and images never expire.
        public var policy: CachePolicy = .forever
        /// The cached response to revalidate. Set by the manager.
        var stored: StoredResponse?
        /// The folder for partial downloads if the downloader has none. Set by the manager.
        var partialFolder: String?
        /// Changes the request before it is sent, or refuses it with `nil`. Replaces the downloader's modifier. The
        /// name is part of every key.
        public var requestModifier: Identified<@Sendable (HTTPRequest) async throws -> HTTPRequest?>?
        /// Changes the response before it is read, or refuses it with `nil`. Replaces the downloader's modifier. The
        /// name is part of every key.
        public var responseModifier: Identified<@Sendable (HTTPResponse) async throws -> HTTPResponse?>?
        /// Decrypts the body, or refuses it with `nil`. Replaces the downloader's decryptor. The name is part of every
        /// key.
        public var decryptor: Identified<@Sendable (Data) async throws -> Data?>?
        /// The longest time for the whole download, with waits, redirects and retries; `nil` for no limit.
        public var deadline: Duration?
    }
}

/// Credentials of a user.
public enum HTTPCredential: Sendable, Hashable {
    /// Sent with the first request (RFC 7617). Not encrypted unless the URL is https.
    case basic(user: String, password: String)
    /// Sent, hashed, in answer to the server's challenge (RFC 7616).
    case digest(user: String, password: String)
    /// A token, sent with the first request (RFC 6750).
    case bearer(String)

    /// Creates credentials from the user and password of a URL.
    init?(_ url: URL) {
        // Avoids parsing most URLs.
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

/// The certificates of https connections.
public struct HTTPSecurity: Sendable, Hashable {
    /// A PEM file of the trusted certificates, instead of the system's.
    public var trustedCertificateFile: String?
    /// The client's certificate, which is sent only to the host of the request's URL.
    public var clientCertificate: ClientCertificate?

    package init() {}

    /// A client certificate and its private key.
    public struct ClientCertificate: Sendable, Hashable {
        package var certificateFile: String
        package var keyFile: String
        package var password: String?

        /// Creates a certificate from PEM files.
        ///
        /// - Parameters:
        ///   - certificateFile: The certificate, followed by intermediate ones if the server needs them.
        ///   - keyFile: The key; can be the same file.
        ///   - password: The password of an encrypted key.
        public init(certificateFile: String, keyFile: String, password: String? = nil) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
            self.password = password
        }
    }
}
