public import EaselFoundation
import Synchronization

/// Everything that one load is asked for. Equal requests do the same work and share it.
///
/// Copies share one storage until one of them changes.
public struct ImageRequest: Sendable, Hashable {
    var storage: RequestStorage

    /// A request for a URL, with the changes that `configure` makes.
    public init(_ url: URL, _ configure: (inout ImageRequest) -> Void = { _ in }) {
        storage = RequestStorage(RequestFields(url: url))
        configure(&self)
    }

    /// Where the image is: http, https, file or data.
    public var url: URL {
        get { storage.fields.url }
        set { fieldsOfKey.url = newValue }
    }

    /// What the load does differently.
    public var options: LoadOptions {
        get { storage.fields.options }
        set { fieldsOfKey.options = newValue }
    }

    /// How urgent the load is. Not part of any key.
    public var priority: LoadPriority {
        get { storage.fields.priority }
        set { fields.priority = newValue }
    }

    /// The size to decode to.
    public var targetSize: TargetSize {
        get { storage.fields.targetSize }
        set { fields.targetSize = newValue }
    }

    /// Whether a larger image in memory is used for that size; it is then shown at once. Not part of any key.
    public var precision: SizePrecision {
        get { storage.fields.precision }
        set { fields.precision = newValue }
    }

    /// Which frame of an animation to decode, counted from 0, composited as shown.
    public var frame: Int {
        get { storage.fields.frame }
        set { fields.frame = newValue }
    }

    /// The colour space of the pixels: sRGB, or a wider one for a screen that shows more.
    public var colorSpace: ColorSpace {
        get { storage.fields.colorSpace }
        set { fields.colorSpace = newValue }
    }

    /// The depth of the pixels: 8 bits a channel, or 16 as well, with HDR kept (`DecodedImage.deepPixels`).
    public var depth: PixelDepth {
        get { storage.fields.depth }
        set { fields.depth = newValue }
    }

    /// Applied to the decoded image, in this order. If empty, the manager's delegate may supply some.
    public var transforms: [ImageTransform] {
        get { storage.fields.transforms }
        set { fields.transforms = newValue }
    }

    /// Whether the delegate supplies no transforms, so that an image without transforms stays as it is.
    public var avoidsDefaultTransforms: Bool {
        get { storage.fields.avoidsDefaultTransforms }
        set { fields.avoidsDefaultTransforms = newValue }
    }

    /// What is shown until the image comes, as the first `LoadEvent.preview`. Not part of any key.
    public var placeholder: Placeholder? {
        get { storage.fields.placeholder }
        set { fields.placeholder = newValue }
    }

    /// Pixels a point of the result; `nil` reads `@2x` and `@3x` in the URL.
    public var scale: Double? {
        get { storage.fields.scale }
        set { fields.scale = newValue }
    }

    /// Where to look and where to store.
    public var cache: Cache {
        get { storage.fields.cache }
        set { fieldsOfKey.cache = newValue }
    }

    /// What is sent to a server.
    public var http: HTTP {
        get { storage.fields.http }
        set { fieldsOfKey.http = newValue }
    }

    /// Whether and when a failed download is tried again.
    public var retry: RetryPolicy {
        get { storage.fields.retry }
        set { fields.retry = newValue }
    }

    /// How much the image may take.
    public var limits: ImageLimits {
        get { storage.fields.limits }
        set { fields.limits = newValue }
    }

    /// Loads the image in place of the manager's loader. Its name is part of every key.
    public var loader: Identified<any ImageLoading>? {
        get { storage.fields.loader }
        set { fieldsOfKey.loader = newValue }
    }

    /// Decodes the image in place of the manager's coders, whatever the file's first bytes are, and encodes it if it is
    /// an `ImageEncoding` too. Its name is part of the image's key.
    public var coder: Identified<any ImageDecoding>? {
        get { storage.fields.coder }
        set { fields.coder = newValue }
    }

    /// Values of one's own, for the manager's hooks.
    public var extras: RequestExtras {
        get { storage.fields.extras }
        set { fieldsOfKey.extras = newValue }
    }

    /// The same request with `options` added.
    public func adding(_ options: LoadOptions) -> ImageRequest {
        guard !self.options.isSuperset(of: options) else { return self }
        var request = self
        request.options.formUnion(options)
        return request
    }

    /// The same request without `options`.
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

    /// Equal fields are equal requests.
    public static func == (first: ImageRequest, second: ImageRequest) -> Bool {
        first.storage === second.storage || first.storage.fields == second.storage.fields
    }

    /// Hashes the fields.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.fields) }
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
    var transforms: [ImageTransform] = []
    var avoidsDefaultTransforms = false
    var placeholder: Placeholder?
    var scale: Double?
    var cache = ImageRequest.Cache()
    var http = ImageRequest.HTTP()
    var retry: RetryPolicy = .none
    var limits = ImageLimits()
    var loader: Identified<any ImageLoading>?
    var coder: Identified<any ImageDecoding>?
    var extras = RequestExtras()

    init(url: URL) { self.url = url }

    /// Hashes the fields in which most requests differ.
    func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(targetSize)
        hasher.combine(frame)
        hasher.combine(transforms)
    }
}

/// The fields of a request, shared by its copies, and the values derived from them: a load reads its keys at every
/// step, and each is a digest.
final class RequestStorage: Sendable {
    private struct Derived {
        var originalKey: CacheKey?
        var key: CacheKey?
        var sharedOriginal: ImageRequest?
    }

    let fields: RequestFields
    private let derived: Mutex<Derived>

    init(_ fields: RequestFields, originalKey: CacheKey? = nil) {
        self.fields = fields
        derived = Mutex(Derived(originalKey: originalKey))
    }

    /// Other fields with the same original key.
    func replacing(_ fields: RequestFields) -> RequestStorage {
        RequestStorage(fields, originalKey: derived.withLock { $0.originalKey })
    }

    /// `ImageRequest.originalKey`, computed by `make` once.
    func originalKey(_ make: () -> CacheKey) -> CacheKey { derive(\.originalKey, make) }
    /// `ImageRequest.key`, computed by `make` once.
    func key(_ make: () -> CacheKey) -> CacheKey { derive(\.key, make) }
    /// `ImageRequest.sharedOriginal`, computed by `make` once.
    func sharedOriginal(_ make: () -> ImageRequest) -> ImageRequest { derive(\.sharedOriginal, make) }

    /// Concurrent calls may compute a value twice, with equal results.
    private func derive<Value: Sendable>(_ path: WritableKeyPath<Derived, Value?>, _ make: () -> Value) -> Value {
        if let value = derived.withLock({ $0[keyPath: path] }) { return value }
        let value = make()
        derived.withLock { $0[keyPath: path] = value }
        return value
    }
}
