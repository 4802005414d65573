public import EaselCore

public import EaselFoundation

/// Writes animated PNG. `PNGCoder` reads it.
///
/// Of each frame the rectangle that has changed is stored, as it is to be: nothing is lost, alpha included.
public struct APNGCoder: AnimationEncoding {
    /// A coder; it has no settings.
    public init() {}

    /// `apng`.
    public var format: ImageFormat { .apng }

    /// Writes an animation of one frame.
    ///
    /// - Throws: what `encode(_:_:)` throws for an animation.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        try encode(AnimationFrames(image), options)
    }

    /// Writes an animation, at most two frames of which are in memory.
    ///
    /// - Throws: `ImageError.tooLarge` for a frame whose data does not fit a chunk, or where the file cannot be made small
    ///   enough, and what a frame throws.
    public func encode(_ frames: AnimationFrames, _ options: EncodeOptions) throws(ImageError) -> Data {
        try options.fitting(frames, isLossy: false) { (frames, _) throws(ImageError) in
            var writer = APNGWriter(frames)
            for index in 0..<frames.count { try writer.append(try frames.frame(index)) }
            return writer.finish()
        }
    }
}

/// Puts the frames of an animation together into a file.
private struct APNGWriter {
    private var chunks = PNGChunkWriter()
    private let hasAlpha: Bool
    private var sequence = 0
    private var shown: PixelBuffer?

    init(_ frames: AnimationFrames) {
        hasAlpha = !frames.isOpaque
        chunks.append(.imageHeader, PNGCoder.header(frames.size, hasAlpha: hasAlpha))
        chunks.append(
            .animationControl, PNGChunkWriter.bigEndian(frames.count) + PNGChunkWriter.bigEndian(frames.loopCount))
    }

    mutating func append(_ frame: AnimationFrames.Frame) throws(ImageError) {
        let whole = PixelRectangle.whole(frame.pixels.size)
        let rectangle = shown.map { frame.pixels.area(comparedWith: $0, where: !=) ?? .pixel } ?? whole
        chunks.append(.frameControl, control(rectangle, frame.duration))
        let data = try PNGCoder.compressed(try frame.pixels.part(rectangle), hasAlpha: hasAlpha)
        if shown == nil {
            chunks.append(.imageData, data)
        } else {
            chunks.append(.frameData, PNGChunkWriter.bigEndian(sequence) + data)
            sequence += 1
        }
        shown = frame.pixels
    }

    mutating func finish() -> Data {
        chunks.append(.end, [])
        return Data(chunks.bytes)
    }

    /// The frame stays afterwards, and replaces what was there: alpha too needs no second thought then.
    private mutating func control(_ rectangle: PixelRectangle, _ duration: Duration) -> [UInt8] {
        defer { sequence += 1 }
        let numbers = [sequence, rectangle.size.width, rectangle.size.height, rectangle.x, rectangle.y]
        // In thousandths as far as 16 bits reach, then in hundredths, then in seconds.
        let unit = [1000, 100].first { duration.units(perSecond: $0) <= 0xFFFF } ?? 1
        let delay = min(duration.units(perSecond: unit), 0xFFFF)
        return numbers.flatMap(PNGChunkWriter.bigEndian)
            + [UInt8(delay >> 8), UInt8(delay & 0xFF), UInt8(unit >> 8), UInt8(unit & 0xFF), 0, 0]
    }
}
