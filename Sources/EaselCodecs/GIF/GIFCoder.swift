public import EaselCore
public import EaselFoundation

/// Reads GIF of 1987 and of 1989, still and animated, and writes the latter.
///
/// The reader is Easel's own. Frames are composited as browsers do: the canvas starts transparent, and a frame that is
/// disposed of to the background leaves transparency, not the background color.
public struct GIFCoder: ImageDecoding {
    /// A coder; it has no settings.
    public init() {}

    /// `gif`.
    public var format: ImageFormat { .gif }

    /// Reads the blocks of the file; no pixel is decompressed.
    ///
    /// - Throws: `ImageError.badData` for what is no GIF, or ends before its first image.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try GIFFile(data.span).header
    }

    /// Decodes one frame, composited as shown.
    ///
    /// A file that ends inside a block, or a frame with fewer pixels than it should have, is an error, or with
    /// `allowsPartial` what is there of the frame.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported` for a frame that is not there,
    ///   `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let bytes = data.span
        let file = try GIFFile(bytes)
        let header = file.header
        try options.check(header)
        var isPartial = file.isCutOff
        let pixels = try PixelBuffer.composited(
            file.placements, upTo: options.frame, on: file.size, isCancelled: options.isCancelled
        ) { (index, canvas) throws(ImageError) in
            let image = try GIFImage.whole(
                file.frames[index], in: bytes, limit: options.limits.pixels, isCancelled: options.isCancelled)
            image.draw(on: canvas)
            if !image.isComplete { isPartial = true }
        }
        if isPartial, !options.allowsPartial { throw .badData("The GIF is damaged or cut off.") }
        return try DecodedImage(stored: pixels, header: header, options: options, isPartial: isPartial)
    }
}

extension GIFFile {
    /// How each frame stands on the canvas.
    var placements: [FramePlacement] {
        frames.map { $0.placement(on: size) }
    }

    /// What the file says of itself.
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
    /// Reads the blocks of the file, and decompresses frames as they are asked for.
    public func makeAnimationDecoder(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> any AnimationDecoder
    {
        let file = try GIFFile(data.span)
        if file.isCutOff, !options.allowsPartial { throw .badData("The GIF is damaged or cut off.") }
        return try FrameCompositor(
            GIFFrames(data: data, file: file, limit: options.limits.pixels), isPartial: file.isCutOff, options)
    }

    /// The frames whose data has come whole.
    public func header(ofBeginning data: Data) -> ImageHeader? {
        guard let file = try? GIFFile(data.span) else { return nil }
        return file.header.beginning(isLastFrameWhole: file.frames.last?.end != nil)
    }
}

private struct GIFFrames: FrameSource {
    let data: Data
    let file: GIFFile
    /// Pixels that a frame may have, which may be larger than the canvas.
    let limit: Int

    var header: ImageHeader { file.header }
    var placements: [FramePlacement] { file.placements }

    func draw(_ frame: Int, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Bool {
        let image = try GIFImage.whole(file.frames[frame], in: data.span, limit: limit, isCancelled: isCancelled)
        image.draw(on: canvas)
        return image.isComplete
    }
}
