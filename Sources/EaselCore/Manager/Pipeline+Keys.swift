/// What makes two requests the same work: the request itself, without what does not matter at that step (B57).
extension ImageRequest {
    /// The whole load.
    var sharedLoad: ImageRequest {
        // Whether someone wants the file's bytes too changes nothing of the work. Previews are made where anybody wants
        // them, and each load sees to its own time in the background.
        var key = removing([.queryMemoryData, .progressive, .continueInBackground])
        if priority != .normal { key.priority = .normal }
        if scale != nil { key.scale = nil }
        if placeholder != nil { key.placeholder = nil }
        // Memory has been asked.
        if precision != .exact { key.precision = .exact }
        if avoidsDefaultTransforms { key.avoidsDefaultTransforms = false }
        if extras != extras.inKeys { key.fields.extras = extras.inKeys }
        return key
    }

    /// The picture, wherever it is stored afterwards.
    var sharedPicture: ImageRequest {
        var key = sharedLoad
        // For an untransformed whole picture this is also where the original is stored.
        if !isOriginal { key.fields.cache.store = .none }
        return key
    }

    /// The original file, whatever is made of it.
    var sharedOriginal: ImageRequest { storage.sharedOriginal { ImageRequest(sharedOriginalOf: self) } }

    private init(sharedOriginalOf request: ImageRequest) {
        var fields = request.sharedLoad.fields
        fields.url = request.urlWithoutFragment
        fields.cache.queryOriginal = request.findsFile ? .disk : .none
        fields.cache.originalImageCache = fields.cache.originalImageCache ?? fields.cache.imageCache
        fields.cache.query = .none
        fields.cache.store = .none
        fields.cache.storeOriginal = .none
        fields.cache.imageCache = nil
        fields.cache.encoding = nil
        fields.coder = nil
        fields.options.subtract([
            .waitStoreCache, .allowPartial, .scaleDownLargeImages, .stopWhenSufficient, .transformAnimatedImage,
            .decodeFirstFrameOnly, .preloadAllFrames,
        ])
        fields.targetSize = .original
        fields.frame = 0
        fields.transforms = []
        // Both ask a server for the same; whether the answer may be kept is settled behind. One that goes offline does not ask.
        if fields.http.policy == .standard { fields.http.policy = .forever }
        // Only the limit on bytes concerns the file.
        fields.limits = ImageLimits(bytes: fields.limits.bytes)
        storage = RequestStorage(fields)
    }

    /// Whether the original file is looked for on disk. A request for that file alone has two fields that may say no.
    var findsFile: Bool { cache.queryOriginal.contains(.disk) && (!isOriginal || cache.query.contains(.disk)) }

    /// Whether the original file is kept on disk: the same.
    var keepsFile: Bool { cache.storeOriginal.contains(.disk) && (!isOriginal || cache.store.contains(.disk)) }

    /// The request for what the last transform is applied to. Where that is the original, the fields for the original
    /// alone say where its file is kept, as they do in this request.
    var beforeLastTransform: ImageRequest {
        var before = self
        before.transforms.removeLast()
        if before.isOriginal {
            before.cache.query.insert(.disk)
            before.cache.store.insert(.disk)
        }
        return before
    }

    /// How a file under this request's own key is decoded: it is already what the request asks for.
    var asStored: ImageRequest {
        var request = self
        request.fields.targetSize = .original
        request.fields.frame = 0
        request.fields.options.subtract([.scaleDownLargeImages, .stopWhenSufficient])
        // A coder that does not write left that to the manager's.
        if coder != nil, !(coder?.value is any ImageEncoding) { request.fields.coder = nil }
        return request
    }
}

/// A value that remembers how long it took.
protocol Timed: Sendable {
    var timeline: LoadTimeline { get set }
}

extension Timed {
    /// The same for who did not do the work.
    var joined: Self {
        var joined = self
        joined.timeline.join()
        return joined
    }
}

extension LoadedData: Timed {}

extension LoadTimeline {
    /// Somebody else's work was joined: its requests are counted there.
    mutating func join() {
        requests = 0
        bytesReceived = 0
        isCoalesced = true
    }
}

extension ImageSource {
    /// Whether a picture made from it is worth a file of its own: made again from a file at hand it costs the same, but
    /// a stored one saves the decode of the whole.
    var isWorthKeeping: Bool { self == .network || self == .disk }
}

extension DecodedImage {
    /// Notes from which size to which it was decoded. Only for what was decoded from the original file: the header of any
    /// other knows nothing of the original's size.
    mutating func noteSampling() {
        guard let original = metadata.header?.size else { return }
        metadata.sampling = Sampling(original: original, decoded: size)
    }
}
