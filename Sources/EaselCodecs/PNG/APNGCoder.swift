public import EaselCore
public import EaselFoundation

/// A coder that writes animated PNG. `PNGCoder` reads it.
///
/// Stores the changed rectangle of each frame, without loss, alpha included.
public struct APNGCoder: AnimationEncoding {
    /// Creates a coder.
    public init() {}

    /// The `apng` format.
    public var format: ImageFormat { .apng }

    /// Writes an animation of one frame.
    ///
    /// - Throws: the errors of `encode(_:_:)` for an animation.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        try encode(AnimationFrames(image), options)
    }

    /// Writes an animation. At most two frames are in memory.
    ///
    /// - Throws: `ImageError.tooLarge` if the data of a frame does not fit a chunk, if the file cannot meet the byte
    ///   limit; the errors of the frames.
    public func encode(_ frames: AnimationFrames, _ options: EncodeOptions) throws(ImageError) -> Data {
        let level = options.pngLevel
        return try options.fitting(frames, isLossy: false) { (frames, _) throws(ImageError) in
            var writer = APNGWriter(frames, level: level)
            for (index, duration) in frames.durations.enumerated() {
                try writer.append(try frames.frame(index), duration)
            }
            return writer.finish()
        }
    }
}

/// A writer that assembles frames into a file.
private struct APNGWriter {
    private var chunks = PNGChunkWriter()
    private let hasAlpha: Bool
    private var sequence = 0
    private var canvas: PixelBuffer?
    private let level: Int32

    init(_ frames: AnimationFrames, level: Int32) {
        self.level = level
        hasAlpha = !frames.isOpaque
        chunks.append(.imageHeader, PNGCoder.header(frames.size, hasAlpha: hasAlpha))
        chunks.append(
            .animationControl, PNGChunkWriter.bigEndian(frames.count) + PNGChunkWriter.bigEndian(frames.loopCount))
    }

    mutating func append(_ frame: PixelBuffer, _ duration: Duration) throws(ImageError) {
        let whole = PixelRectangle.whole(frame.size)
        let rectangle = canvas.map { frame.area(comparedWith: $0, where: !=) ?? .pixel } ?? whole
        chunks.append(.frameControl, control(rectangle, duration))
        let data = try PNGCoder.compress(try frame.part(rectangle), hasAlpha: hasAlpha, level: level)
        if canvas == nil {
            chunks.append(.imageData, data)
        } else {
            chunks.append(.frameData, PNGChunkWriter.bigEndian(sequence) + data)
            sequence += 1
        }
        canvas = frame
    }

    mutating func finish() -> Data {
        chunks.append(.end, [])
        return Data(chunks.bytes)
    }

    /// Returns the fcTL chunk of a frame that replaces the canvas, alpha included, and stays.
    private mutating func control(_ rectangle: PixelRectangle, _ duration: Duration) -> [UInt8] {
        defer { sequence += 1 }
        let numbers = [sequence, rectangle.size.width, rectangle.size.height, rectangle.x, rectangle.y]
        // The delay is in thousandths of a second if that fits 16 bits, or else in hundredths or seconds.
        let unit = [1000, 100].first { duration.units(perSecond: $0) <= 0xFFFF } ?? 1
        let delay = min(duration.units(perSecond: unit), 0xFFFF)
        return numbers.flatMap(PNGChunkWriter.bigEndian)
            + [UInt8(delay >> 8), UInt8(delay & 0xFF), UInt8(unit >> 8), UInt8(unit & 0xFF), 0, 0]
    }
}

extension PNGCoder: AnimationDecoding {
    /// Creates a decoder that inflates frames on demand. A still image is an animation of one frame.
    public func makeAnimationDecoder(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> any AnimationDecoder
    {
        try Self.compositor(data, PNGFile(data.span), options)
    }

    static func compositor(
        _ data: Data, _ file: PNGFile, _ options: DecodeOptions, isUsedOnce: Bool = false
    ) throws(ImageError) -> some AnimationDecoder {
        let raster = PNGRaster(file, in: data.span, convertingTo: options.colorSpace)
        return try FrameCompositor(
            PNGFrames(data: data, raster: raster, header: raster.header(in: data.span)),
            isPartial: file.isTruncated && file.isAnimated, colors: raster.colors, isUsedOnce: isUsedOnce, options)
    }

    /// Returns the header with the frames that other frames follow, since only their data is known to be complete.
    public func header(ofBeginning data: Data) -> ImageHeader? {
        guard let file = try? PNGFile(data.span), file.isAnimated else { return nil }
        return PNGRaster(file, in: data.span).header(in: data.span)
            .headerOfCompleteFrames(isLastFrameComplete: !file.isTruncated)
    }
}

private struct PNGFrames: FrameSource {
    let data: Data
    let raster: PNGRaster
    let header: ImageHeader

    var placements: [FramePlacement] {
        raster.file.shownFrames.map { $0.placement(hasAlpha: raster.expander.hasAlpha) }
    }

    func draw(_ index: Int, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Bool {
        let frame = raster.file.shownFrames[index]
        let pixels = try raster.pixels(
            of: frame.chunks, in: data.span, size: frame.rectangle.size, isCancelled: isCancelled)
        canvas.draw(pixels, in: frame.rectangle, over: !frame.replaces)
        return true
    }

    var deepColors: ColorDescription? { raster.deepColors(in: data.span) }

    func draw(_ index: Int, on canvas: borrowing DeepRaster, isCancelled: () -> Bool) throws(ImageError) {
        let frame = raster.file.shownFrames[index]
        let deep = try DeepRaster(frame.rectangle.size)
        _ = try raster.pixels(
            of: frame.chunks, in: data.span, size: frame.rectangle.size, deep: .init(deep), isCancelled: isCancelled)
        canvas.draw(deep, in: frame.rectangle, over: !frame.replaces)
    }
}

/// A frame of an animated PNG: its fcTL chunk and the location of its data.
struct PNGFrame {
    var rectangle: PixelRectangle
    var disposal: FramePlacement.Disposal
    /// Whether the frame replaces the pixels beneath, transparency included, instead of blending.
    var replaces: Bool
    /// The playback duration.
    var duration: Duration
    /// The chunks of the frame's zlib stream. An fdAT chunk starts with a sequence number of four bytes.
    var chunks: [PNGChunk] = []

    /// Creates the single frame of a still image.
    init(still size: PixelSize, _ chunks: [PNGChunk]) {
        rectangle = .whole(size)
        disposal = .keep
        replaces = true
        duration = .zero
        self.chunks = chunks
    }

    /// - Throws: `ImageError.badData` for a frame outside `canvas`.
    init(_ bytes: Span<UInt8>, canvas: PixelSize) throws(ImageError) {
        guard bytes.count == 26, let width = bytes.bigEndian32(at: 4), let height = bytes.bigEndian32(at: 8),
            let x = bytes.bigEndian32(at: 12), let y = bytes.bigEndian32(at: 16),
            let numerator = bytes.bigEndian16(at: 20), let denominator = bytes.bigEndian16(at: 22),
            bytes[24] <= 2, bytes[25] <= 1
        else { throw .badData("A frame control chunk is invalid.") }
        guard width > 0, height > 0, x <= canvas.width - width, y <= canvas.height - height else {
            throw .badData("A frame is outside the canvas of \(canvas).")
        }
        rectangle = PixelRectangle(x: x, y: y, size: PixelSize(width, height))
        disposal = [.keep, .clear, .restore][Int(bytes[24])]
        replaces = bytes[25] == 0
        // A denominator of 0 means 100.
        duration = .playback(milliseconds: numerator * 1000 / (denominator == 0 ? 100 : denominator))
    }

    /// Returns the placement of the frame. `hasAlpha` is whether pixels of the file can be transparent.
    func placement(hasAlpha: Bool) -> FramePlacement {
        FramePlacement(
            rectangle: rectangle, disposal: disposal, hidesCanvas: replaces || !hasAlpha, isOpaque: !hasAlpha)
    }
}
