public import EaselFoundation

/// Everything that one load is asked for, in one value. Equal requests do the same work, and share it (B19, B24).
///
/// A copy costs one reference: what is asked lies in one place until a copy changes.
public struct ImageRequest: Sendable, Hashable {
    var storage: RequestStorage

    /// A request for a URL, with whatever `configure` changes.
    public init(_ url: URL, _ configure: (inout ImageRequest) -> Void = { _ in }) {
        storage = RequestStorage(RequestFields(url: url))
        configure(&self)
    }

    /// Where the picture is: http, https, file or data.
    public var url: URL {
        get { storage.fields.url }
        _modify { yield &fieldsOfKey.url }
    }

    /// What the load does differently.
    public var options: LoadOptions {
        get { storage.fields.options }
        _modify { yield &fieldsOfKey.options }
    }

    /// How urgent it is. Not part of any key.
    public var priority: LoadPriority {
        get { storage.fields.priority }
        _modify { yield &fields.priority }
    }

    /// The size to decode to.
    public var targetSize: TargetSize {
        get { storage.fields.targetSize }
        _modify { yield &fields.targetSize }
    }

    /// Whether a larger picture in memory does for that size: it is then shown at once (B16). Not part of any key.
    public var precision: SizePrecision {
        get { storage.fields.precision }
        _modify { yield &fields.precision }
    }

    /// Which frame of an animation to decode, counted from 0, composited as shown.
    public var frame: Int {
        get { storage.fields.frame }
        _modify { yield &fields.frame }
    }

    /// The colours that its pixels are in: sRGB, or wider ones for a screen that shows more.
    public var colorSpace: ColorSpace {
        get { storage.fields.colorSpace }
        _modify { yield &fields.colorSpace }
    }

    /// How finely its colours are told: 8 bits a channel, or 16 as well, with HDR as it is (`DecodedImage.deepPixels`).
    public var depth: PixelDepth {
        get { storage.fields.depth }
        _modify { yield &fields.depth }
    }

    /// What is done to the decoded picture, in this order. Where there is nothing, a manager's delegate may have something.
    public var transforms: [ImageTransform] {
        get { storage.fields.transforms }
        _modify { yield &fields.transforms }
    }

    /// Whether the delegate is not asked (X023), so that a picture without transforms stays as it is.
    public var avoidsDefaultTransforms: Bool {
        get { storage.fields.avoidsDefaultTransforms }
        _modify { yield &fields.avoidsDefaultTransforms }
    }

    /// What is shown until the picture comes, as the first `LoadEvent.preview`. Not part of any key.
    public var placeholder: Placeholder? {
        get { storage.fields.placeholder }
        _modify { yield &fields.placeholder }
    }

    /// Pixels a point of the result; `nil` reads `@2x` and `@3x` in the URL (S168, X026).
    public var scale: Double? {
        get { storage.fields.scale }
        _modify { yield &fields.scale }
    }

    /// Where to look and where to store.
    public var cache: Cache {
        get { storage.fields.cache }
        _modify { yield &fieldsOfKey.cache }
    }

    /// What is sent to a server.
    public var http: HTTP {
        get { storage.fields.http }
        _modify { yield &fieldsOfKey.http }
    }

    /// Whether and when a failed download is tried again.
    public var retry: RetryPolicy {
        get { storage.fields.retry }
        _modify { yield &fields.retry }
    }

    /// How much the picture may take.
    public var limits: ImageLimits {
        get { storage.fields.limits }
        _modify { yield &fields.limits }
    }

    /// Who loads it in the place of the manager's loader (X022). A name is part of every key.
    public var loader: Identified<any ImageLoading>? {
        get { storage.fields.loader }
        _modify { yield &fieldsOfKey.loader }
    }

    /// Who decodes it in the place of the manager's coders, whatever the file's first bytes say (X022), and encodes it where it
    /// is an `ImageEncoding` too. The name is part of the picture's key.
    public var coder: Identified<any ImageDecoding>? {
        get { storage.fields.coder }
        _modify { yield &fields.coder }
    }

    /// Values of one's own, for the manager's hooks.
    public var extras: RequestExtras {
        get { storage.fields.extras }
        _modify { yield &fieldsOfKey.extras }
    }

    /// The same request with `options` added.
    public func adding(_ options: LoadOptions) -> ImageRequest {
        guard !self.options.isSuperset(of: options) else { return self }
        var request = self
        request.options.formUnion(options)
        return request
    }
}

extension ImageRequest {
    /// The same request without `options`.
    func removing(_ options: LoadOptions) -> ImageRequest {
        guard !self.options.isDisjoint(with: options) else { return self }
        var request = self
        // Cookies alone are part of a key.
        if options.contains(.handleCookies) {
            request.options.subtract(options)
        } else {
            request.fields.options.subtract(options)
        }
        return request
    }

    /// The fields, to be changed where `originalKey` does not depend on them.
    var fields: RequestFields {
        get { storage.fields }
        _modify {
            prepareForChange(keepsKey: true)
            yield &storage.fields
        }
    }

    /// The fields, to be changed in any way.
    var fieldsOfKey: RequestFields {
        get { storage.fields }
        _modify {
            prepareForChange(keepsKey: false)
            yield &storage.fields
        }
    }

    /// Not inlined: what a coroutine as those above has at hand, a copy of all fields here, lies in memory that is allocated
    /// for each call of it.
    @inline(never)
    private mutating func prepareForChange(keepsKey: Bool) {
        if !isKnownUniquelyReferenced(&storage) || storage.isKnown { storage = storage.copy(keepsKey: keepsKey) }
    }

    /// Equal fields are equal requests.
    public static func == (first: ImageRequest, second: ImageRequest) -> Bool {
        if first.storage === second.storage { return true }
        return first.storage.hash == second.storage.hash && first.storage.fields == second.storage.fields
    }

    /// Hashes the fields, once for all copies.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.hash) }
}

extension ImageRequest {
    /// Where a load looks and where it stores (X033, X034).
    public struct Cache: Sendable, Hashable {
        /// Where the image as asked for is looked for: in memory and on disk.
        public var query: CacheLevels = .all
        /// Where the image as asked for is stored: in memory and on disk. On disk, a request without a size and transforms
        /// asks for the original file: that is stored where both this and `storeOriginal` include the disk.
        public var store: CacheLevels = .all
        /// Whether the original file is looked for on disk, whatever is made of it. `.memory` changes nothing: memory keeps
        /// images, not files. A request for the original file itself looks for it where `query` includes the disk too.
        public var queryOriginal: CacheLevels = .disk
        /// Whether the original file is stored on disk, whatever is made of it. `.memory` changes nothing.
        public var storeOriginal: CacheLevels = .disk
        /// Replaces the URL in every key, where the same picture has many URLs (B22, S057, X037). Comes before the manager's
        /// key filter.
        public var key: String?
        /// The cache of the picture as asked for, in the place of the manager's (X022). It is in no key: a cache has keys of
        /// its own.
        public var imageCache: Identified<any ImageCaching>?
        /// The cache of the original file (X034), in the place of `imageCache`, whatever is made of the file.
        public var originalImageCache: Identified<any ImageCaching>?
        /// How the picture as asked for is encoded for the disk (X032): at a quality of 0.95. Part of the picture's key, because
        /// what is read again is what was written.
        public var encoding: EncodeOptions?
        /// What is written to disk for the original file, in the place of the manager's serializer (X037, X054). The name is part of
        /// every key, because what is read again is what was written.
        public var serializer: Serializer?

        /// Makes what is written to disk of a file that came; `nil` writes nothing.
        public typealias Serializer = Identified<@Sendable (Data, ImageRequest) -> Data?>

        /// The defaults named above.
        public init() {}
    }

    /// What is sent to a server, and how long it may take.
    public struct HTTP: Sendable, Hashable {
        /// Added to, or in place of, the loader's default headers.
        public var headers = HTTPHeaders()
        /// Fields that say who asks: two requests that differ in one never share a load or an entry (B26).
        /// `Authorization` and `Cookie` always do, and so do `credential`, `security.clientCertificate` and
        /// `handlesCookies`.
        public var identityHeaders: Set<String> = []
        /// Who asks, for servers that want to know. It comes before a user and password in the URL, and after an
        /// `Authorization` header. It goes to the scheme, host and port of the request's URL and nowhere else.
        public var credential: HTTPCredential?
        /// Whether cookies are sent and kept (`ImageDownloader.Configuration.cookies`, S083).
        public var handlesCookies = false
        /// Whom to trust, and how to prove who asks.
        public var security = HTTPSecurity()
        /// How long an exchange may take.
        public var timeouts = HTTPTimeouts()
        /// What the cache makes of what the server says about keeping its pictures: for ever, whatever it says.
        public var policy: CachePolicy = .forever
        /// What is kept of the URL's answer, set for a load that only has to ask whether it is still current. A loader
        /// that can ask gives `LoadedData.notModified`; any other loads as usual.
        public internal(set) var stored: StoredResponse?
        /// Where what has come of the download is kept until it is whole, unless the downloader has a place of its own: set
        /// for a load by the manager, beside its cache.
        public internal(set) var partialFolder: String?
        /// Changes the request before it is sent, in the place of the downloader's modifier (X036). The name is part of every key,
        /// as who asks is.
        public var requestModifier: RequestModifier?
        /// Changes the answer before it is looked at, in the place of the downloader's modifier (X036). The name is part of every
        /// key.
        public var responseModifier: ResponseModifier?
        /// Makes the file of what came, in the place of the downloader's decryptor (X036). The name is part of every key.
        public var decryptor: Decryptor?
        /// How long the download may take in all: waiting for its turn, redirects, retries and the pauses between them.
        /// `nil` sets no bound.
        public var deadline: Duration?

        /// Changes a request, or refuses it with `nil`.
        public typealias RequestModifier = Identified<@Sendable (HTTPRequest) async throws -> HTTPRequest?>
        /// Changes an answer, or refuses it with `nil`.
        public typealias ResponseModifier = Identified<@Sendable (HTTPResponse) async throws -> HTTPResponse?>
        /// Makes the file of what came, or refuses it with `nil`.
        public typealias Decryptor = Identified<@Sendable (Data) async throws -> Data?>

        /// No headers, the default timeouts and policy.
        public init() {}
    }
}
