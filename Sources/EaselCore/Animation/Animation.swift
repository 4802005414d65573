public import EaselFoundation
import Synchronization

/// A file of several frames, which are decoded on demand.
///
/// It keeps the file, and the first frame if that has been decoded; players keep the others. Players of
/// the same object share their frames, and an image from a cache has the same object for all.
public final class Animation: Sendable {
    /// The file, or the part that has arrived.
    package let data: Data
    /// The header of the file.
    public let header: ImageHeader
    /// The pixels of each frame, before transforms.
    public let size: PixelSize
    /// How long each frame is shown, as played: at least 11 ms.
    public let durations: [Duration]
    /// Whether the file is still arriving, so that more frames may follow.
    public let isArriving: Bool
    let transforms: [ImageTransform]

    package let reader: AnimationReader
    /// The reader of single frames in 16 bits; players show 8.
    let deepReader: AnimationReader?
    private let coder: any AnimationDecoding
    private let options: DecodeOptions
    private let storedFrames: Mutex<[Int: PixelBuffer]>
    private let endObservers = Mutex<[@Sendable () -> Void]>([])

    /// Creates the animation of a file.
    ///
    /// - Parameters:
    ///   - coders: the decoders. The module `Easel` has an initializer without them.
    ///   - options: the size and the colors of the frames, the limits, and the depth of `frame(at:)`. The frame number
    ///     and cancellation do not matter.
    /// - Throws: `ImageError.unsupported` for a format without animations, `.badData` for a damaged or unknown file,
    ///   `.tooLarge`.
    /// - Complexity: the header is read; no frame is decoded.
    public convenience init(
        data: Data, coders: CoderRegistry, options: DecodeOptions = DecodeOptions()
    ) throws(ImageError) {
        let decoder = try coders.decoder(for: data)
        guard let coder = decoder as? any AnimationDecoding else {
            throw .unsupported("\(decoder.format.name) files contain no animations. Load it as an image.")
        }
        self.init(data: data, header: try coder.header(of: data), coder: coder, options: options)
        try options.limits.check(header)
    }

    init(
        data: Data, header: ImageHeader, coder: any AnimationDecoding, options: DecodeOptions,
        transforms: [ImageTransform] = [], firstFrame: PixelBuffer? = nil, isArriving: Bool = false
    ) {
        var options = options
        options.isCancelled = { false }
        options.allowsPartial = options.allowsPartial || isArriving
        self.data = data
        self.header = header
        self.coder = coder
        self.options = options
        self.transforms = transforms
        self.isArriving = isArriving
        size = options.targetSize.size(for: header.size)
        durations = (0..<max(1, header.frameCount)).map { index in
            let stored = header.frameDurations.indices.contains(index) ? header.frameDurations[index] : .zero
            return stored < .milliseconds(11) ? .milliseconds(100) : stored
        }
        let isDeep = options.depth == .sixteen && header.bitDepth > 8
        deepReader = isDeep ? AnimationReader(data, coder, options, transforms) : nil
        var played = options
        played.depth = .eight
        played.hdrHeadroom = nil
        reader = AnimationReader(data, coder, played, transforms)
        storedFrames = Mutex(firstFrame.map { [0: $0] } ?? [:])
    }

    deinit {
        for observe in endObservers.withLock({ $0 }) { observe() }
    }

    /// The bytes for decoded frames by default: an eighth of the memory of the process, at most 256 MB.
    package static var automaticLimit: ByteCount {
        ByteCount(min(MemoryAllowance.ofProcess.byteCount / 8, 256_000_000))
    }

    /// The number of frames.
    public var frameCount: Int { durations.count }

    /// The number of loops; 0 means forever.
    package var loopCount: Int { header.loopCount }

    /// The duration of one loop.
    public var duration: Duration { durations.reduce(.zero, +) }

    package var framesByteCount: Int {
        frameByteCount.multipliedReportingOverflow(by: frameCount).partialValue
    }

    /// The cost in a memory cache, in bytes: the file and the frames of `loadAllFrames`. The first frame counts with
    /// its image.
    var memoryCost: Int {
        data.count + durations.count * MemoryLayout<Duration>.stride
            + storedFrames.withLock { $0.isEmpty ? 0 : ($0.count - 1) * frameByteCount }
    }

    /// Returns the same animation with each frame transformed when it is decoded. The two share no frames.
    func applying(_ transforms: [ImageTransform], firstFrame: PixelBuffer? = nil) -> Animation {
        guard !transforms.isEmpty else { return self }
        return Animation(
            data: data, header: header, coder: coder, options: options, transforms: self.transforms + transforms,
            firstFrame: firstFrame, isArriving: isArriving)
    }

    /// Returns whether this is an earlier part of the file of `other`, so that both have the same first frames.
    package func isBeginning(of other: Animation) -> Bool {
        isArriving && size == other.size && frameCount <= other.frameCount && transforms == other.transforms
            && other.data.prefix(data.count) == data
    }

    /// Rows are aligned as in `PixelBuffer`. An estimate, because transforms may change the size.
    package var frameByteCount: Int { ((size.width * 4 + 63) & ~63) * size.height }

    /// The frames of the animation itself.
    package var keptFrames: [Int: PixelBuffer] { storedFrames.withLock { $0 } }

    package func observeEnd(_ body: @escaping @Sendable () -> Void) {
        endObservers.withLock { $0.append(body) }
    }

    // MARK: - Frames without a player

    /// Returns a frame, counted from 0, as it is shown: composited, upright, transformed. Decoded on Easel's pixel
    /// threads.
    ///
    /// The frame after the last one costs one frame's work, any other that of the frames since the nearest one from
    /// which compositing can start. The state for that is kept for the most recent animations. The frame has deep
    /// pixels if the animation's options request them.
    ///
    /// - Throws: `ImageError.unsupported` if there is no such frame, `.badData` for a damaged frame, `.cancelled`.
    public func frame(at index: Int) async throws(ImageError) -> DecodedImage {
        if deepReader == nil, let pixels = keptFrames[index] { return image(pixels, index) }
        let reader = deepReader ?? reader
        RecentReaders.shared.use(reader)
        return try await WorkerPool.pixels.run { () throws(ImageError) in
            try reader.frame(index) { Task.isCancelled }
        }
    }

    package var isLoaded: Bool { keptFrames.count == frameCount }

    /// Decodes all frames on the calling thread, and keeps them for the lifetime of the animation, so that no player
    /// waits. They become part of `memoryCost`, which a cache reads when it stores an image.
    ///
    /// Does nothing if they are loaded, or would take more than `limit` bytes: by default `automaticLimit`.
    ///
    /// - Throws: the error of a frame, in which case no frame is stored; `ImageError.cancelled`.
    package func loadAllFrames(
        limit: Int = Animation.automaticLimit.bytes, isCancelled: @Sendable () -> Bool = { false }
    ) throws(ImageError) {
        guard !isLoaded, framesByteCount <= limit else { return }
        var frames = keptFrames
        defer { reader.close() }
        for index in 0..<frameCount where frames[index] == nil {
            frames[index] = try reader.frame(index, isCancelled: isCancelled).pixels
        }
        // The old frames are released outside of the lock.
        _ = storedFrames.withLock { exchange(&$0, with: frames) }
    }

    private func image(_ pixels: PixelBuffer, _ index: Int) -> DecodedImage {
        DecodedImage(
            pixels: pixels,
            metadata: ImageMetadata(
                header: header, frameIndex: index, isThumbnail: size != header.size, isTransformed: !transforms.isEmpty
            ))
    }
}
