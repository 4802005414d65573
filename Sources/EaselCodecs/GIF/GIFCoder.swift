public import EaselCore
public import EaselFoundation

/// Reads still and animated GIF87a and GIF89a, and writes GIF89a.
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
    /// - Throws: `ImageError.badData` if the data is not a GIF, or ends before its first image.
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
    /// Reads the blocks of the file and decompresses frames on demand.
    public func makeAnimationDecoder(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> any AnimationDecoder
    {
        let file = try GIFFile(data.span)
        if file.isCutOff, !options.allowsPartial { throw .badData("The GIF is damaged or cut off.") }
        return try FrameCompositor(
            GIFFrames(data: data, file: file, limit: options.limits.pixels), isPartial: file.isCutOff, options)
    }

    /// Returns the header with the complete frames.
    public func header(ofBeginning data: Data) -> ImageHeader? {
        guard let file = try? GIFFile(data.span) else { return nil }
        return file.header.beginning(isLastFrameWhole: file.frames.last?.end != nil)
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
        let image = try GIFImage.whole(file.frames[frame], in: data.span, limit: limit, isCancelled: isCancelled)
        image.draw(on: canvas)
        return image.isComplete
    }
}
