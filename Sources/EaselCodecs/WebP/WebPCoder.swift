import CWebP
public import EaselCore
public import EaselFoundation

/// A coder that reads and writes still and animated WebP through libwebp.
///
/// For half the size and below, libwebp scales while decoding, so the full-size image is never in memory. For a quarter
/// and below of a lossy image, libwebp returns YUV planes of 1.5 bytes per pixel, which are averaged before color
/// conversion.
public struct WebPCoder: ImageDecoding {
    /// Creates a coder.
    public init() {}

    /// The `webp` format.
    public var format: ImageFormat { .webp }

    /// Reads the chunks. Decodes no pixels.
    ///
    /// - Throws: `ImageError.badData` if the data is not a WebP, or is truncated before the header of its first frame;
    ///   `.tooLarge` for more than 20,000 frames, whatever the limits.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            try WebPFile(bytes).header
        }
    }

    /// Decodes the image, or one composited frame of an animation.
    ///
    /// Throws for a truncated file, unless `allowsPartial` is set. Then missing rows are transparent, and animations
    /// have only their complete frames. After cancellation, the decoding of a large lossless image finishes on a
    /// separate thread, since interruptible decoding in libwebp is slower.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported` for a frame that does not exist,
    ///   `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let (size, image) = try data.span.withUnsafeBufferPointer {
            (bytes) throws(ImageError) -> (PixelSize, DecodedImage?) in
            let file = try WebPFile(bytes)
            try options.check(file.header)
            if file.isTruncated, !options.allowsPartial { throw .truncated }
            if file.isAnimated {
                let frames = try Self.compositor(data, file, in: bytes, options, isUsedOnce: true)
                return (file.header.size, try frames.frame(options.frame, isCancelled: options.isCancelled))
            }
            let isLong = WebPRaster.isLongAndLossless(UnsafeBufferPointer(rebasing: bytes[file.frames[0].data]))
            return (file.header.storedSize, isLong ? nil : try Self.decodeStill(file, in: bytes, options))
        }
        if let image { return image }
        return try options.runAbandonably(.webp, byteCount: size.decodingByteCount) { (options) throws(ImageError) in
            try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
                try Self.decodeStill(WebPFile(bytes), in: bytes, isAbandonable: true, options)
            }
        }
    }

    private static func decodeStill(
        _ file: WebPFile, in bytes: UnsafeBufferPointer<UInt8>, isAbandonable: Bool = false, _ options: DecodeOptions
    ) throws(ImageError) -> DecodedImage {
        let stored = file.header.storedSize
        let size = options.storedTargetSize(for: file.header)
        let data = UnsafeBufferPointer(rebasing: bytes[file.frames[0].data])
        let isCancelled = options.isCancelled
        var isPartial = file.isTruncated
        let pixels: PixelBuffer
        if let thumbnail = try WebPThumbnail(data, stored: stored, size: size) {
            var config = try WebPRaster.config()
            thumbnail.configure(&config)
            let stream = try WebPStream(config)
            try stream.decode(data, isCancelled: isCancelled)
            if stream.rowCount < stored.height { isPartial = true }
            pixels = try thumbnail.pixels(rowCount: stream.rowCount, isCancelled: isCancelled)
        } else {
            let raster = try WebPRaster(
                data, stored: stored, size: WebPRaster.scaledSize(of: stored, for: size),
                allowsPartial: options.allowsPartial, isAbandonable: isAbandonable, isCancelled: isCancelled)
            if raster.isPartial { isPartial = true }
            pixels = try raster.pixels.resized(to: size, isCancelled: isCancelled)
        }
        guard !isPartial || options.allowsPartial else { throw .truncated }
        return try DecodedImage(
            stored: pixels, header: file.header, options: options, colors: file.colors(in: bytes), isPartial: isPartial)
    }
}

extension WebPCoder: AnimationDecoding {
    /// Creates a decoder that decodes frames on demand. A still image is an animation of one frame.
    public func makeAnimationDecoder(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> any AnimationDecoder
    {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            try Self.compositor(data, WebPFile(bytes), in: bytes, options)
        }
    }

    private static func compositor(
        _ data: Data, _ file: WebPFile, in bytes: UnsafeBufferPointer<UInt8>, _ options: DecodeOptions,
        isUsedOnce: Bool = false
    ) throws(ImageError) -> FrameCompositor<WebPFrames> {
        try FrameCompositor(
            WebPFrames(data: data, file: file), isPartial: file.isTruncated, colors: file.colors(in: bytes),
            isUsedOnce: isUsedOnce, options)
    }

    /// Returns the header with the complete frames; `nil` until announced EXIF, which can rotate them, has arrived.
    public func header(ofBeginning data: Data) -> ImageHeader? {
        data.span.withUnsafeBufferPointer { bytes in
            guard let file = try? WebPFile(bytes), file.isAnimated, file.isOrientationKnown else { return nil }
            return file.header.headerOfCompleteFrames(isLastFrameComplete: file.frames.last?.isComplete == true)
        }
    }
}

private struct WebPFrames: FrameSource {
    let data: Data
    let file: WebPFile

    var header: ImageHeader { file.header }
    var placements: [FramePlacement] { file.frames.map(\.placement) }

    func draw(_ frame: Int, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Bool {
        let placement = file.frames[frame].placement
        let raster = try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            // The range of the data was checked against the end of the file.
            try WebPRaster(
                UnsafeBufferPointer(rebasing: bytes[file.frames[frame].data]), stored: placement.rectangle.size,
                size: placement.rectangle.size, allowsPartial: false, isCancelled: isCancelled)
        }
        canvas.draw(raster.pixels, in: placement.rectangle, over: !placement.hidesCanvas)
        return true
    }
}

extension WebPCoder: MetadataReading {
    /// Reads the EXIF and XMP chunks.
    ///
    /// - Throws: `ImageError.badData` if the data is not a WebP.
    public func metadata(of data: Data) throws(ImageError) -> FileMetadata {
        let file = try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in try WebPFile(bytes) }
        func content(_ range: Range<Int>) -> Data { Data(data.dropFirst(range.lowerBound).prefix(range.count)) }
        // Some writers add the prefix that EXIF has in JPEG.
        let exif = file.exif.map(content).map { $0.starts(with: Array("Exif\0\0".utf8)) ? Data($0.dropFirst(6)) : $0 }
        return FileMetadata(exif: exif, xmp: file.xmp.map(content))
    }

    /// Returns the file with metadata appended.
    ///
    /// - Throws: `ImageError.unsupported` if memory runs out.
    static func insert(_ metadata: (exif: [UInt8]?, xmp: [UInt8]?), into file: Data) throws(ImageError) -> Data {
        try file.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            var source = WebPData(bytes: bytes.baseAddress, size: bytes.count)
            guard let mux = WebPMuxCreate(&source, 0) else { throw .outOfMemory }
            defer { WebPMuxDelete(mux) }
            for (name, content) in [("EXIF", metadata.exif), ("XMP ", metadata.xmp)] {
                guard let content else { continue }
                let result = content.withUnsafeBufferPointer { content in
                    var chunk = WebPData(bytes: content.baseAddress, size: content.count)
                    return WebPMuxSetChunk(mux, name, &chunk, 1)
                }
                guard result == WEBP_MUX_OK else { throw .outOfMemory }
            }
            var output = WebPData()
            defer { WebPDataClear(&output) }
            guard WebPMuxAssemble(mux, &output) == WEBP_MUX_OK, let start = output.bytes else { throw .outOfMemory }
            return Data(UnsafeBufferPointer(start: start, count: output.size))
        }
    }
}

extension WebPCoder: ImageEncoding {
    /// Writes lossy WebP of `options.quality`, or lossless WebP for a quality of 1 or on request. Preserves alpha.
    ///
    /// Converts colors to sRGB, since the file is written without a profile.
    ///
    /// - Throws: `ImageError.unsupported` for a side of more than 16,383 pixels, `.tooLarge` if the file cannot meet
    ///   the byte limit.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        try options.fitting(image, isLossy: !options.isLosslessWebP) { (image, options) throws(ImageError) in
            try Self.write(image, options)
        }
    }

    private static func write(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        try checkSize(image.size)
        let image = try image.convertedToSRGB()
        let file = try write(image.pixels, options.webPConfiguration())
        guard let metadata = options.metadataToWrite else { return file }
        return try insert(metadata, into: file)
    }

    private static func write(
        _ pixels: PixelBuffer, _ configuration: WebPConfig
    ) throws(ImageError) -> Data {
        let straight = try ScratchMemory(straight: pixels, .bgra)
        var configuration = configuration
        var picture = WebPPicture()
        guard WebPPictureInit(&picture) != 0 else { throw .outOfMemory }
        defer { WebPPictureFree(&picture) }
        picture.use_argb = configuration.lossless
        picture.width = Int32(pixels.width)
        picture.height = Int32(pixels.height)
        var output = WebPMemoryWriter()
        WebPMemoryWriterInit(&output)
        defer { WebPMemoryWriterClear(&output) }
        let start = straight.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let isWritten = withUnsafeMutablePointer(to: &output) { output in
            picture.writer = WebPMemoryWrite
            picture.custom_ptr = UnsafeMutableRawPointer(output)
            return WebPPictureImportBGRA(&picture, start, picture.width * 4) != 0
                && WebPEncode(&configuration, &picture) != 0
        }
        guard isWritten, let bytes = output.mem else { throw .outOfMemory }
        return Data(UnsafeBufferPointer(start: bytes, count: output.size))
    }

    static func checkSize(_ size: PixelSize) throws(ImageError) {
        guard max(size.width, size.height) > Int(WEBP_MAX_DIMENSION) else { return }
        throw .unsupported("A WebP side has at most \(WEBP_MAX_DIMENSION) pixels. The image has \(size).")
    }
}

extension EncodeOptions {
    var isLosslessWebP: Bool { isLossless || quality >= 1 }

    /// Returns the parameters of libwebp.
    func webPConfiguration() throws(ImageError) -> WebPConfig {
        var configuration = WebPConfig()
        let quality = Float(min(max(quality, 0), 1) * 100)
        guard WebPConfigInit(&configuration) != 0 else { throw .outOfMemory }
        configuration.quality = quality
        configuration.method = value(forEffort: [0, 1, 2, 2, 3, 4, 4, 5, 6, 6], standard: configuration.method)
        if isLosslessWebP {
            configuration.lossless = 1
            // For lossless files, the quality is the effort.
            configuration.quality = value(forEffort: [0, 10, 25, 40, 55, 70, 75, 80, 90, 100], standard: 70)
        }
        return configuration
    }
}

extension WebPCoder: AnimationEncoding {
    /// Writes an animated WebP through libwebpmux, which stores only the changes of each frame.
    ///
    /// - Throws: `ImageError.unsupported` for a side of more than 16,383 pixels, `.tooLarge` if the file cannot meet
    ///   the byte limit, and the errors of the frames.
    public func encode(_ frames: AnimationFrames, _ options: EncodeOptions) throws(ImageError) -> Data {
        try options.fitting(frames, isLossy: !options.isLosslessWebP) { (frames, options) throws(ImageError) in
            try Self.checkSize(frames.size)
            let writer = try WebPAnimationWriter(frames.size, loopCount: frames.loopCount, options)
            for (index, duration) in frames.durations.enumerated() {
                try writer.append(try frames.frame(index), duration)
            }
            return try writer.finish()
        }
    }
}

/// A libwebpmux encoder for one animation.
private final class WebPAnimationWriter {
    private let encoder: OpaquePointer
    private var config = WebPConfig()
    /// The time since the start, so that rounding errors do not add up.
    private var elapsed = Duration.zero

    init(_ size: PixelSize, loopCount: Int, _ options: EncodeOptions) throws(ImageError) {
        var animation = WebPAnimEncoderOptions()
        config = try options.webPConfiguration()
        // More effort than for a still image by default.
        if options.isLosslessWebP, options.effort == nil { config.quality = 75 }
        guard WebPAnimEncoderOptionsInit(&animation) != 0 else { throw .outOfMemory }
        animation.anim_params.loop_count = Int32(clamping: loopCount)
        guard let encoder = WebPAnimEncoderNew(Int32(size.width), Int32(size.height), &animation) else {
            throw .outOfMemory
        }
        self.encoder = encoder
    }

    deinit { WebPAnimEncoderDelete(encoder) }

    func append(_ frame: PixelBuffer, _ duration: Duration) throws(ImageError) {
        let pixels = try ScratchMemory(straight: frame, .bgra)
        var image = WebPPicture()
        guard WebPPictureInit(&image) != 0 else { throw .outOfMemory }
        defer { WebPPictureFree(&image) }
        image.use_argb = 1
        image.width = Int32(frame.width)
        image.height = Int32(frame.height)
        let start = pixels.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard WebPPictureImportBGRA(&image, start, image.width * 4) != 0,
            WebPAnimEncoderAdd(encoder, &image, milliseconds, &config) != 0
        else { throw .outOfMemory }
        elapsed += duration
    }

    func finish() throws(ImageError) -> Data {
        var file = WebPData()
        WebPDataInit(&file)
        defer { WebPDataClear(&file) }
        // A last call without an image sets the end of the last frame.
        guard WebPAnimEncoderAdd(encoder, nil, milliseconds, nil) != 0, WebPAnimEncoderAssemble(encoder, &file) != 0
        else { throw .outOfMemory }
        return Data(UnsafeBufferPointer(start: file.bytes, count: file.size))
    }

    private var milliseconds: Int32 { Int32(clamping: elapsed.milliseconds) }
}
