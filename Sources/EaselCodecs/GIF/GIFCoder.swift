public import EaselCore
public import EaselFoundation

/// A coder that reads still and animated GIF87a and GIF89a, and writes GIF89a.
///
/// The parser is part of Easel. Frames are composited as in browsers: the canvas starts transparent, and disposal to
/// the background leaves transparency, not the background color.
public struct GIFCoder: ImageDecoding {
    /// Creates a coder.
    public init() {}

    /// The `gif` format.
    public var format: ImageFormat { .gif }

    /// Reads the blocks of the file. Decompresses no pixels.
    ///
    /// - Throws: `ImageError.badData` if the data is not a GIF, or ends before its first image; `.tooLarge` for more
    ///   than 100,000 frames, whatever the limits.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try GIFFile(data.span).header
    }

    /// Decodes one composited frame.
    ///
    /// Throws for a file that ends inside a block, or a frame with missing pixels, unless `allowsPartial` is set.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported` for a frame that does not exist,
    ///   `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try Self.compositor(data, options, isUsedOnce: true).frame(options.frame, isCancelled: options.isCancelled)
    }
}

extension GIFFile {
    var placements: [FramePlacement] {
        frames.map { $0.placement(on: size) }
    }

    var header: ImageHeader {
        var header = ImageHeader(
            format: .gif, storedSize: size, frameCount: frames.count, hasAlpha: placements.canBeTransparent(on: size),
            bitDepth: bitDepth)
        guard frames.count > 1 else { return header }
        header.loopCount = loopCount
        header.frameDurations = frames.map(\.duration)
        return header
    }
}

extension GIFCoder: AnimationDecoding {
    /// Creates a decoder that decompresses frames on demand.
    public func makeAnimationDecoder(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> any AnimationDecoder
    {
        try Self.compositor(data, options)
    }

    private static func compositor(
        _ data: Data, _ options: DecodeOptions, isUsedOnce: Bool = false
    ) throws(ImageError) -> FrameCompositor<GIFFrames> {
        let file = try GIFFile(data.span)
        return try FrameCompositor(
            GIFFrames(data: data, file: file, limit: options.limits.pixels), isPartial: file.isTruncated,
            isUsedOnce: isUsedOnce, options)
    }

    /// Returns the header with the complete frames.
    public func header(ofBeginning data: Data) -> ImageHeader? {
        guard let file = try? GIFFile(data.span) else { return nil }
        return file.header.headerOfCompleteFrames(isLastFrameComplete: file.frames.last?.end != nil)
    }
}

private struct GIFFrames: FrameSource {
    let data: Data
    let file: GIFFile
    /// The maximum number of pixels of a frame, which can be larger than the canvas.
    let limit: Int

    var header: ImageHeader { file.header }
    var placements: [FramePlacement] { file.placements }

    func draw(_ frame: Int, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Bool {
        let image = try GIFImage.decode(file.frames[frame], in: data.span, limit: limit, isCancelled: isCancelled)
        image.draw(on: canvas)
        return image.isComplete
    }
}

extension GIFCoder: AnimationEncoding {
    /// Writes a still GIF of at most 256 colors, the image's own if possible. Alpha below one half becomes transparent,
    /// other alpha opaque.
    ///
    /// - Throws: `ImageError.unsupported` for a side of more than 65,535 pixels, `.tooLarge` if the file cannot meet
    ///   the byte limit.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        try encode(AnimationFrames(image), options)
    }

    /// Writes an animation: the changed rectangle of each frame, with a local palette. Durations are rounded to 1/100 s
    /// without accumulating errors, and are at least 2/100 s, since viewers play shorter frames for 1/10 s.
    ///
    /// - Throws: the errors of a still image, and those of the frames.
    public func encode(_ frames: AnimationFrames, _ options: EncodeOptions) throws(ImageError) -> Data {
        try options.fitting(frames, isLossy: false) { (frames, _) throws(ImageError) in
            guard max(frames.size.width, frames.size.height) <= 0xFFFF else {
                throw .unsupported("A GIF side has at most 65,535 pixels. The image has \(frames.size).")
            }
            var writer = GIFWriter(frames)
            // The frame to store, and the canvas before it is drawn; `nil` if that is empty.
            var (current, canvas) = (try Self.frame(0, of: frames), PixelBuffer?.none)
            for index in 0..<frames.count {
                let next = index + 1 < frames.count ? try Self.frame(index + 1, of: frames) : nil
                var rectangle = PixelRectangle.whole(frames.size)
                if let canvas { rectangle = current.pixels.area(comparedWith: canvas, where: !=) ?? .pixel }
                // Frames draw over the canvas with one-bit alpha. If pixels become transparent in the next frame, this
                // frame's rectangle is therefore extended to them and cleared by its disposal.
                let cleared = next.flatMap {
                    current.pixels.area(comparedWith: $0.pixels, where: { $0 != 0 && $1 == 0 })
                }
                if let cleared { rectangle = rectangle.union(cleared) }
                try writer.append(current, over: canvas, in: rectangle, isCleared: cleared != nil)
                canvas = cleared == nil ? current.pixels : try current.pixels.clearing(rectangle)
                if let next { current = next }
            }
            return writer.finish()
        }
    }

    private static func frame(
        _ index: Int, of frames: AnimationFrames
    ) throws(ImageError) -> (pixels: PixelBuffer, duration: Duration) {
        (try frames.frame(index).withOneBitAlpha(), frames.durations[index])
    }
}

/// A writer that assembles frames into a file.
private struct GIFWriter {
    private var bytes: [UInt8] = Array("GIF89a".utf8)
    private let isAnimated: Bool
    /// The time since the start, so that rounding errors do not add up.
    private var elapsed = Duration.zero

    init(_ frames: AnimationFrames) {
        isAnimated = frames.count > 1
        // No global palette, no background, square pixels.
        append16(frames.size.width, frames.size.height)
        bytes += [0x70, 0, 0]
        // A file without the extension plays once.
        if isAnimated, frames.loopCount != 1 {
            bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1]
            append16(min(frames.loopCount, 0xFFFF))
            bytes.append(0)
        }
    }

    /// - Parameter isCleared: whether the rectangle is cleared after the frame.
    mutating func append(
        _ frame: (pixels: PixelBuffer, duration: Duration), over canvas: PixelBuffer?, in rectangle: PixelRectangle,
        isCleared: Bool
    ) throws(ImageError) {
        let base = try canvas.map { (canvas) throws(ImageError) in try canvas.part(rectangle) }
        let image = GIFQuantizer.quantize(try frame.pixels.part(rectangle), over: base)
        appendControl(frame.duration, isCleared: isCleared, transparentIndex: image.transparentIndex)
        let bitCount = image.bitCount
        bytes.append(0x2C)
        append16(rectangle.x, rectangle.y, rectangle.size.width, rectangle.size.height)
        bytes.append(0x80 | UInt8(bitCount - 1))
        for index in 0..<(1 << bitCount) {
            let color = index < image.colors.count ? image.colors[index] : 0
            bytes += [16, 8, 0].map { UInt8(truncatingIfNeeded: color >> $0) }
        }
        GIFLZWWriter.write(image.indices, minimumCodeSize: max(2, bitCount), to: &bytes)
    }

    mutating func finish() -> Data { Data(bytes + [0x3B]) }

    private mutating func appendControl(_ duration: Duration, isCleared: Bool, transparentIndex: UInt8?) {
        let start = elapsed.units(perSecond: 100)
        elapsed += duration
        let delay = isAnimated ? max(2, elapsed.units(perSecond: 100) - start) : 0
        guard isAnimated || transparentIndex != nil else { return }
        bytes += [0x21, 0xF9, 4, (isCleared ? 2 : 1) << 2 | (transparentIndex == nil ? 0 : 1)]
        append16(min(delay, 0xFFFF))
        bytes += [transparentIndex ?? 0, 0]
    }

    private mutating func append16(_ values: Int...) {
        for value in values { bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)] }
    }
}

extension PixelBuffer {
    /// Returns the image with one-bit alpha: every pixel is opaque in its straight color, or 0.
    func withOneBitAlpha() throws(ImageError) -> PixelBuffer {
        if isOpaque { return self }
        return try .draw(size) { canvas in
            for y in 0..<height {
                let target = canvas.row(y)
                withRow(y) { row in
                    for x in row.indices {
                        target[x] = row[x] >> 24 < 128 ? 0 : PremultipliedPixel.unpremultiply(row[x]) | 0xFF00_0000
                    }
                }
            }
        }
    }

    /// Returns the image with a transparent rectangle.
    fileprivate func clearing(_ rectangle: PixelRectangle) throws(ImageError) -> PixelBuffer {
        try .draw(size) { canvas in
            canvas.draw(self, in: .whole(size), over: false)
            canvas.clear(rectangle)
        }
    }
}
