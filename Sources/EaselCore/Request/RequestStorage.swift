import EaselFoundation
import Synchronization

/// What a request says.
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
    var http: ImageRequest.HTTP {
        get { boxedHTTP.value }
        _modify { yield &boxedHTTP.value }
    }
    /// Half of all that a request says, and the same for most.
    private var boxedHTTP = Self.standardHTTP
    private static let standardHTTP = Boxed(ImageRequest.HTTP())
    var retry: RetryPolicy = .none
    var limits = ImageLimits()
    var loader: Identified<any ImageLoading>?
    var coder: Identified<any ImageDecoding>?
    var extras = RequestExtras()

    init(url: URL) {
        self.url = url
    }

    /// What mostly tells two requests apart: to hash the rest takes longer than all else that is done to find one.
    func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(targetSize)
        hasher.combine(frame)
        hasher.combine(transforms)
    }
}

/// The fields of a request and of all its copies, with what has been worked out of them: a load asks for its keys again
/// and again, at every step, and a key is a digest.
///
/// Unchecked: `fields` is written only by `ImageRequest`, through a reference that is known to be the only one, as a
/// standard collection writes to its buffer. What is worked out has a lock.
final class RequestStorage: @unchecked Sendable {
    private struct Known {
        var originalKey: CacheKey?
        var key: CacheKey?
        var hash: Int?
        var sharedOriginal: ImageRequest?
    }

    /// Its accesses cannot overlap, as there is one reference while it changes: to find that out anew at each of the dozens
    /// that a load has would cost as much as a lookup in memory.
    @exclusivity(unchecked) var fields: RequestFields
    private let known: Mutex<Known>

    init(_ fields: RequestFields) {
        self.fields = fields
        known = Mutex(Known())
    }

    private init(_ fields: RequestFields, originalKey: CacheKey?) {
        self.fields = fields
        known = Mutex(Known(originalKey: originalKey))
    }

    /// Whether anything has been worked out, and the fields must not change any more.
    var isKnown: Bool {
        known.withLock { $0.originalKey != nil || $0.key != nil || $0.hash != nil || $0.sharedOriginal != nil }
    }

    /// The same fields, which may change.
    func copy(keepsKey: Bool) -> RequestStorage {
        RequestStorage(fields, originalKey: keepsKey ? known.withLock { $0.originalKey } : nil)
    }

    // Two who ask at the same time may both work it out: they find the same.

    /// The hash of the fields.
    var hash: Int {
        if let hash = known.withLock({ $0.hash }) { return hash }
        var hasher = Hasher()
        fields.hash(into: &hasher)
        let hash = hasher.finalize()
        known.withLock { $0.hash = hash }
        return hash
    }

    /// `ImageRequest.originalKey`, made by `make` once.
    func originalKey(_ make: () -> CacheKey) -> CacheKey {
        if let key = known.withLock({ $0.originalKey }) { return key }
        let key = make()
        known.withLock { $0.originalKey = key }
        return key
    }

    /// `ImageRequest.key`, made by `make` once.
    func key(_ make: () -> CacheKey) -> CacheKey {
        if let key = known.withLock({ $0.key }) { return key }
        let key = make()
        known.withLock { $0.key = key }
        return key
    }

    /// `ImageRequest.sharedOriginal`, made by `make` once.
    func sharedOriginal(_ make: () -> ImageRequest) -> ImageRequest {
        if let request = known.withLock({ $0.sharedOriginal }) { return request }
        let request = make()
        known.withLock { $0.sharedOriginal = request }
        return request
    }
}
