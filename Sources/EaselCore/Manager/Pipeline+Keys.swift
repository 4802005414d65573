/// What makes two requests the same work: the request itself, without what does not matter at that step (B57).
extension ImageRequest {
    /// The whole load.
    var sharedLoad: ImageRequest {
        var key = self
        key.priority = .normal
        key.scale = nil
        key.placeholder = nil
        // Memory has been asked.
        key.precision = .exact
        // Whether someone wants the file's bytes too changes nothing of the work.
        key.options.remove(.queryMemoryData)
        // Previews are made where anybody wants them.
        key.options.remove(.progressive)
        return key
    }

    /// The picture, wherever it is stored afterwards.
    var sharedPicture: ImageRequest {
        var key = sharedLoad
        // For an untransformed whole picture this is also where the original is stored.
        if !isOriginal { key.cache.store = .none }
        return key
    }

    /// The original file, whatever is made of it.
    var sharedOriginal: ImageRequest {
        var key = sharedLoad
        key.url = urlWithoutFragment
        key.cache.queryOriginal = isOriginal ? cache.query.intersection(.disk) : cache.queryOriginal
        key.cache.query = .none
        key.cache.store = .none
        key.cache.storeOriginal = .none
        key.options.subtract([
            .waitStoreCache, .allowPartial, .scaleDownLargeImages, .stopWhenSufficient, .transformAnimatedImage,
            .decodeFirstFrameOnly, .preloadAllFrames,
        ])
        key.targetSize = .original
        key.frame = 0
        key.transforms = []
        // Both ask a server for the same; whether the answer may be kept is settled behind. One that goes offline does not ask.
        if http.policy == .standard { key.http.policy = .forever }
        // Only the limit on bytes concerns the file.
        key.limits = ImageLimits(bytes: limits.bytes)
        return key
    }

    /// Whether the original file is kept on disk.
    var keepsFile: Bool { (isOriginal ? cache.store : cache.storeOriginal).contains(.disk) }

    /// How a file under this request's own key is decoded: it is already what the request asks for.
    var asStored: ImageRequest {
        var request = self
        request.targetSize = .original
        request.frame = 0
        request.options.subtract([.scaleDownLargeImages, .stopWhenSufficient])
        return request
    }
}

/// A value that remembers how long it took.
protocol Timed: Sendable {
    var timeline: LoadTimeline { get set }
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
