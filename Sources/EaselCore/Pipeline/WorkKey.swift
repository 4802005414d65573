/// The identity of an operation: the stage, and the request without the fields that do not matter there.
///
/// The request itself is the key, not a digest of it: any field can change the result or the policy, and a new one
/// cannot be forgotten here.
struct WorkKey: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
        /// A whole load.
        case load
        /// A load that is not shared.
        case exclusive(ObjectIdentifier)
        /// An image, decoded and transformed.
        case image
        /// The original file.
        case file
        /// A revalidation of the file.
        case validation
    }

    let stage: Stage
    let request: ImageRequest

    static func load(_ request: ImageRequest) -> WorkKey { WorkKey(stage: .load, request: request.sharedLoad) }

    static func exclusive(_ request: ImageRequest, _ task: ImageTask) -> WorkKey {
        WorkKey(stage: .exclusive(ObjectIdentifier(task)), request: request)
    }

    static func image(_ request: ImageRequest) -> WorkKey {
        var key = request.sharedLoad
        // For an original image, the fields also determine where its file is stored.
        if !request.isOriginal { key.fields.cache.store = [] }
        // Each URL has its own operation.
        if !request.alternatives.isEmpty { key.alternatives = [] }
        return WorkKey(stage: .image, request: key)
    }

    static func file(_ request: ImageRequest) -> WorkKey { WorkKey(stage: .file, request: request.sharedOriginal) }

    static func validation(_ request: ImageRequest) -> WorkKey {
        WorkKey(stage: .validation, request: request.sharedOriginal)
    }
}

extension ImageRequest {
    /// The request without the fields that do not matter to a load after the memory cache.
    var sharedLoad: ImageRequest {
        var key = removing([.queryMemoryData, .progressive, .continueInBackground])
        if priority != .normal { key.priority = .normal }
        if scale != nil { key.scale = nil }
        if placeholder != nil { key.placeholder = nil }
        if preview != nil { key.preview = nil }
        if precision != .exact { key.precision = .exact }
        if avoidsDefaultTransforms { key.avoidsDefaultTransforms = false }
        if fields.isSubstitute { key.fields.isSubstitute = false }
        if isMarked { (key.fields.cache.tags, key.fields.cache.isPinned) = ([], false) }
        if extras != extras.inKeys { key.fields.extras = extras.inKeys }
        return key
    }

    /// The request without the fields that do not matter to the original file.
    var sharedOriginal: ImageRequest { storage.derive(\.sharedOriginal) { ImageRequest(sharedOriginalOf: self) } }

    private init(sharedOriginalOf request: ImageRequest) {
        var fields = request.sharedLoad.fields
        fields.url = request.urlWithoutFragment
        fields.cache.queryOriginal = request.findsFile ? .disk : []
        fields.cache.originalImageCache = fields.cache.originalImageCache ?? fields.cache.imageCache
        fields.cache.query = []
        fields.cache.store = []
        fields.cache.storeOriginal = []
        fields.cache.imageCache = nil
        fields.cache.encoding = nil
        fields.coder = nil
        fields.alternatives = []
        fields.onLowData = .load
        fields.options.subtract([
            .waitStoreCache, .allowPartial, .scaleDownLargeImages, .stopWhenSufficient, .transformAnimatedImage,
            .decodeFirstFrameOnly, .preloadAllFrames,
        ])
        fields.targetSize = .original
        fields.frame = 0
        fields.transforms = []
        // Both policies send the same request. Whether the response may be stored is decided for each request. The
        // policy `offline` sends none.
        if fields.http.policy == .standard { fields.http.policy = .forever }
        fields.limits = ImageLimits(bytes: fields.limits.bytes)
        storage = RequestStorage(fields)
    }

    /// Whether the disk is searched for the original file. For a request of the original image, two fields can forbid
    /// it.
    var findsFile: Bool { cache.queryOriginal.contains(.disk) && (!isOriginal || cache.query.contains(.disk)) }

    /// Whether the original file is stored on disk.
    var keepsFile: Bool { cache.storeOriginal.contains(.disk) && (!isOriginal || cache.store.contains(.disk)) }

    /// The request for the input of the last transform. If that is the original image, only the fields of the original
    /// determine where its file is stored, as in this request.
    var beforeLastTransform: ImageRequest {
        var before = self
        before.transforms.removeLast()
        if before.isOriginal {
            before.cache.query.insert(.disk)
            before.cache.store.insert(.disk)
        }
        return before
    }

    /// The request that decodes a file stored under this request's own key, which has the requested size.
    var asStored: ImageRequest {
        var request = self
        request.fields.targetSize = .original
        request.fields.frame = 0
        request.fields.options.subtract([.scaleDownLargeImages, .stopWhenSufficient])
        // A coder that cannot encode left that to the manager's.
        if coder != nil, !(coder?.value is any ImageEncoding) { request.fields.coder = nil }
        return request
    }

    /// Whether the cache pins or tags the URL.
    var isMarked: Bool { storage.fields.cache.isPinned || !storage.fields.cache.tags.isEmpty }

    /// Whether the server has to confirm the cached image.
    var refreshes: Bool { options.contains(.refreshCached) && http.policy != .offline }

    /// Whether equal loads can share all of the work of this one.
    var isShareable: Bool { !refreshes && options.isDisjoint(with: [.avoidCoalescing, .queryMemoryData]) }

    var demand: LoadDemand { LoadDemand(priority: priority, wantsPreviews: options.contains(.progressive)) }
}

/// A value with a timeline.
protocol Timed: Sendable {
    var timeline: LoadTimeline { get set }
}
