public import EaselFoundation
import Synchronization

/// The parameters of a load. Loads with equal requests share their work.
///
/// Copies share one storage until one of them changes.
public struct ImageRequest: Sendable, Hashable {
    var storage: RequestStorage

    /// Creates a request for a URL, with the changes that `configure` makes.
    public init(_ url: URL, _ configure: (inout ImageRequest) -> Void = { _ in }) {
        storage = RequestStorage(RequestFields(url: url))
        configure(&self)
    }

    /// The URL of the image.
    public var url: URL {
        get { storage.fields.url }
        set { fieldsOfKey.url = newValue }
    }

    /// The options of the load.
    public var options: LoadOptions {
        get { storage.fields.options }
        set { fieldsOfKey.options = newValue }
    }

    /// The priority of the load. Not part of any key.
    public var priority: LoadPriority {
        get { storage.fields.priority }
        set { fields.priority = newValue }
    }

    /// The size to decode to.
    public var targetSize: TargetSize {
        get { storage.fields.targetSize }
        set { fields.targetSize = newValue }
    }

    /// Whether a larger image in memory may be used. Not part of any key.
    public var precision: SizePrecision {
        get { storage.fields.precision }
        set { fields.precision = newValue }
    }

    /// The index of the frame of an animation to decode, composited as shown.
    public var frame: Int {
        get { storage.fields.frame }
        set { fields.frame = newValue }
    }

    /// The colour space of the pixels.
    public var colorSpace: ColorSpace {
        get { storage.fields.colorSpace }
        set { fields.colorSpace = newValue }
    }

    /// The depth of the pixels: 8 bits per channel, or also 16, with HDR (`DecodedImage.deepPixels`).
    public var depth: PixelDepth {
        get { storage.fields.depth }
        set { fields.depth = newValue }
    }

    /// The headroom of the display for which the gain map of an image is applied: its peak as a multiple of SDR white,
    /// such as 4. `nil`, the default, applies the map fully if `depth` is `.sixteen`. The result is in
    /// `DecodedImage.deepPixels`. Images without a gain map do not depend on it.
    public var hdrHeadroom: Double? {
        get { storage.fields.hdrHeadroom }
        set { fields.hdrHeadroom = newValue }
    }

    /// The transforms of the decoded image, in order. If empty, the manager's delegate may supply some.
    public var transforms: [ImageTransform] {
        get { storage.fields.transforms }
        set { fields.transforms = newValue }
    }

    /// Whether the delegate is not called for transforms.
    public var avoidsDefaultTransforms: Bool {
        get { storage.fields.avoidsDefaultTransforms }
        set { fields.avoidsDefaultTransforms = newValue }
    }

    /// The first `LoadEvent.preview`, shown until the image is loaded. Not part of any key.
    public var placeholder: Placeholder? {
        get { storage.fields.placeholder }
        set { fields.placeholder = newValue }
    }

    /// A small image that is shown, as `LoadEvent.preview`, until more of this one has arrived. Not loaded from a
    /// server if this image is cached. Not part of any key.
    public var preview: Preview? {
        get { storage.fields.preview }
        set { fields.preview = newValue }
    }

    /// Other URLs of the image, which are tried in order if its own fails. The result is cached under this request's
    /// key, and `ImageResponse.url` is its source. Credentials are not sent to another host.
    public var alternatives: [URL] {
        get { storage.fields.alternatives }
        set { fields.alternatives = newValue }
    }

    /// What is loaded when the network is constrained (`ImageManager.Configuration.networkConditions`).
    public var onLowData: LowDataAction {
        get { storage.fields.onLowData }
        set { fields.onLowData = newValue }
    }

    /// The pixels per point of the result; `nil` uses `@2x` and `@3x` in the URL.
    public var scale: Double? {
        get { storage.fields.scale }
        set { fields.scale = newValue }
    }

    /// The caches to read and to write.
    public var cache: Cache {
        get { storage.fields.cache }
        set { fieldsOfKey.cache = newValue }
    }

    /// The requests to the server.
    public var http: HTTP {
        get { storage.fields.http }
        set { fieldsOfKey.http = newValue }
    }

    /// When a failed download is tried again.
    public var retry: RetryPolicy {
        get { storage.fields.retry }
        set { fields.retry = newValue }
    }

    /// The limits of the image and its file.
    public var limits: ImageLimits {
        get { storage.fields.limits }
        set { fields.limits = newValue }
    }

    /// Loads the image instead of the manager's loader. Its name is part of every key.
    public var loader: Identified<any ImageLoading>? {
        get { storage.fields.loader }
        set { fieldsOfKey.loader = newValue }
    }

    /// Decodes the image instead of the manager's coders, whatever the format of the file, and encodes it if it is also
    /// an `ImageEncoding`. Its name is part of the image's key.
    public var coder: Identified<any ImageDecoding>? {
        get { storage.fields.coder }
        set { fields.coder = newValue }
    }

    package var extras: RequestExtras {
        get { storage.fields.extras }
        set { fieldsOfKey.extras = newValue }
    }

    /// Returns the request with `options` added.
    public func adding(_ options: LoadOptions) -> ImageRequest {
        guard !self.options.isSuperset(of: options) else { return self }
        var request = self
        request.options.formUnion(options)
        return request
    }

    /// Returns the request without `options`.
    func removing(_ options: LoadOptions) -> ImageRequest {
        guard !self.options.isDisjoint(with: options) else { return self }
        var request = self
        request.options.subtract(options)
        return request
    }

    /// The fields, for changes that `originalKey` does not depend on.
    var fields: RequestFields {
        get { storage.fields }
        set { storage = storage.replacing(newValue) }
    }

    /// The fields, for any change.
    private var fieldsOfKey: RequestFields {
        get { storage.fields }
        set { storage = RequestStorage(newValue) }
    }
}

/// The fields of a request.
struct RequestFields: Sendable, Hashable {
    var url: URL
    var options: LoadOptions = []
    var priority: LoadPriority = .normal
    var targetSize: TargetSize = .original
    var precision: SizePrecision = .exact
    var frame = 0
    var colorSpace: ColorSpace = .sRGB
    var depth = PixelDepth.eight
    var hdrHeadroom: Double?
    var transforms: [ImageTransform] = []
    var avoidsDefaultTransforms = false
    var placeholder: Placeholder?
    var preview: ImageRequest.Preview?
    var alternatives: [URL] = []
    var onLowData = ImageRequest.LowDataAction.load
    /// The request that this one is an alternative of. Set by the manager.
    var primary: Primary?
    /// Whether it loads a smaller image instead of another request's image. Set by the manager.
    var isSubstitute = false
    /// Whether there is no network. Set by the manager.
    var isOffline = false
    var scale: Double?
    var cache = ImageRequest.Cache()
    var http = ImageRequest.HTTP()
    var retry: RetryPolicy = .none
    var limits = ImageLimits()
    var loader: Identified<any ImageLoading>?
    var coder: Identified<any ImageDecoding>?
    var extras = RequestExtras()

    init(url: URL) { self.url = url }

    /// Hashes only the fields in which most requests differ.
    func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(targetSize)
        hasher.combine(frame)
        hasher.combine(transforms)
    }
}

/// The request that an alternative replaces. The alternative has its key.
struct Primary: Sendable, Hashable {
    let key: CacheKey
    let url: URL
}

/// The fields of a request, shared by its copies, and values derived from them: a load reads its keys at every step,
/// and each is a digest.
final class RequestStorage: Sendable, Hashable {
    struct Derived {
        var originalKey: CacheKey?
        var key: CacheKey?
        var familyKey: CacheKey?
        var sharedOriginal: ImageRequest?
    }

    let fields: RequestFields
    private let derived: Mutex<Derived>

    init(_ fields: RequestFields, originalKey: CacheKey? = nil) {
        self.fields = fields
        derived = Mutex(Derived(originalKey: originalKey))
    }

    static func == (first: RequestStorage, second: RequestStorage) -> Bool {
        first === second || first.fields == second.fields
    }

    func hash(into hasher: inout Hasher) { hasher.combine(fields) }

    /// Returns the storage of other fields with the same original key.
    func replacing(_ fields: RequestFields) -> RequestStorage {
        RequestStorage(fields, originalKey: derived.withLock { $0.originalKey })
    }

    /// Returns the value at `path`, which `make` computes first. Concurrent calls may compute it twice, with equal
    /// results.
    func derive<Value: Sendable>(_ path: WritableKeyPath<Derived, Value?>, _ make: () -> Value) -> Value {
        if let value = derived.withLock({ $0[keyPath: path] }) { return value }
        let value = make()
        derived.withLock { $0[keyPath: path] = value }
        return value
    }
}
