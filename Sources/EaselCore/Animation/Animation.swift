public import EaselFoundation
import Synchronization

/// A file of several frames, which are decoded when they are wanted (S004, S005, X169).
///
/// What it keeps is the file, and the first frame where that has been shown; `FrameStore` keeps the others for those who play it.
/// Players of the same object share their frames: an image from a cache brings the same one to all.
public final class Animation: Sendable {
    /// The file, or what has come of it.
    public let data: Data
    /// What the file says of itself.
    public let header: ImageHeader
    /// The pixels of each frame, before transforms.
    public let size: PixelSize
    /// How long each frame is shown, as played: at least 11 ms (X155).
    public let durations: [Duration]
    /// Whether the file is still arriving: these frames are the first ones of more.
    public let isArriving: Bool
    /// What is done to each frame.
    public let transforms: [ImageTransform]

    let reader: AnimationReader
    /// Who gives single frames where they are wanted in 16 bits: players show 8.
    let deepReader: AnimationReader?
    private let coder: any AnimationDecoding
    private let options: DecodeOptions
    private let kept: Mutex<[Int: PixelBuffer]>
    private let lifetime = AnimationLifetime()

    /// The frames of a file.
    ///
    /// - Parameters:
    ///   - coders: who reads it. The module `Easel` has an initializer that knows.
    ///   - options: the size and the colours of the frames, and the limits; the depth of those that `frame(at:)` gives. Which
    ///     frame, and cancellation, do not matter.
    /// - Throws: `ImageError.unsupported` for a format without animations, `.badData` for a damaged or unknown file, `.tooLarge`.
    /// - Complexity: the header is read; no frame is decoded.
    public convenience init(
        data: Data, coders: CoderRegistry, options: DecodeOptions = DecodeOptions()
    ) throws(ImageError) {
        let decoder = try coders.decoder(for: data)
        guard let coder = decoder as? any AnimationDecoding else {
            throw .unsupported("\(decoder.format.name) files hold no animations. Load it as a picture.")
        }
        self.init(data: data, header: try coder.header(of: data), coder: coder, options: options)
        try options.limits.check(header)
    }

    /// - Parameters:
    ///   - firstFrame: the frame with the number 0, where it has been decoded.
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
        reader = AnimationReader(data, coder, played, transforms)
        kept = Mutex(firstFrame.map { [0: $0] } ?? [:])
    }

    /// How many frames there are.
    public var frameCount: Int { durations.count }

    /// How often it is played; 0 is for ever (X154).
    public var loopCount: Int { header.loopCount }

    /// How long playing it once takes.
    public var duration: Duration { durations.reduce(.zero, +) }

    /// The bytes that all frames take together, decoded.
    public var framesByteCount: Int {
        frameByteCount.multipliedReportingOverflow(by: frameCount).partialValue
    }

    /// The bytes that a cache counts for it: the file, and the frames that `loadAllFrames` keeps. The first one is counted
    /// with the picture that it came in.
    public var memoryCost: Int {
        data.count + durations.count * MemoryLayout<Duration>.stride
            + kept.withLock { $0.isEmpty ? 0 : ($0.count - 1) * frameByteCount }
    }

    /// The same animation with each frame transformed when it is decoded (X010). The frames of both are apart.
    public func applying(_ transforms: [ImageTransform]) -> Animation {
        applying(transforms, firstFrame: nil)
    }

    func applying(_ transforms: [ImageTransform], firstFrame: PixelBuffer?) -> Animation {
        guard !transforms.isEmpty else { return self }
        return Animation(
            data: data, header: header, coder: coder, options: options, transforms: self.transforms + transforms,
            firstFrame: firstFrame, isArriving: isArriving)
    }

    /// Whether this is what had come of the file of `other` a while ago: its frames are then the first ones of that.
    func isBeginning(of other: Animation) -> Bool {
        isArriving && size == other.size && frameCount <= other.frameCount && transforms == other.transforms
            && other.data.prefix(data.count) == data
    }

    /// Rows are aligned as those of `PixelBuffer`. Transforms may change the size; what comes is then counted as it is.
    var frameByteCount: Int { ((size.width * 4 + 63) & ~63) * size.height }

    /// Frames that belong to the animation itself.
    var keptFrames: [Int: PixelBuffer] { kept.withLock { $0 } }

    func keep(_ frames: [Int: PixelBuffer]) {
        let released = kept.withLock { exchange(&$0, with: frames) }
        // Memory is given back outside of the lock.
        withExtendedLifetime(released) {}
    }

    /// Calls `body` when nobody has the animation any more.
    func observeEnd(_ body: @escaping @Sendable () -> Void) {
        lifetime.observers.withLock { $0.append(body) }
    }
}

/// Ends with its animation, and says so.
private final class AnimationLifetime: Sendable {
    let observers = Mutex<[@Sendable () -> Void]>([])

    deinit {
        for observe in observers.withLock({ $0 }) { observe() }
    }
}
