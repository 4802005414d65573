import CWebP
public import EaselCore
public import EaselFoundation

/// Reads and writes still and animated WebP through libwebp.
///
/// For half the size and below, libwebp scales while decoding, so the full-size image is never in memory. For a quarter
/// and below of a lossy image, libwebp returns YUV planes of 1.5 bytes a pixel, which are averaged before color
/// conversion.
public struct WebPCoder: ImageDecoding {
    /// Creates a coder.
    public init() {}

    /// The `webp` format.
    public var format: ImageFormat { .webp }

    /// Reads the chunks. Decodes no pixels.
    ///
    /// - Throws: `ImageError.badData` if the data is not a WebP, or is truncated before the header of its first frame.
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
            try options.checkCancellation()
            if file.isCutOff, !options.allowsPartial { throw WebPRaster.cutOff }
            if file.isAnimated { return (file.header.storedSize, try Self.decodeFrame(of: file, in: bytes, options)) }
            let isLong = WebPRaster.isLongAndLossless(UnsafeBufferPointer(rebasing: bytes[file.frames[0].data]))
            return (file.header.storedSize, isLong ? nil : try Self.decodeStill(file, in: bytes, options))
        }
        if let image { return image }
        return try options.abandonable(size) { (options) throws(ImageError) in
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
        func image(_ pixels: PixelBuffer, isPartial: Bool = false) throws(ImageError) -> DecodedImage {
            try DecodedImage(
                stored: pixels, header: file.header, options: options, colors: file.colors(in: bytes),
                isPartial: isPartial || file.isCutOff)
        }
        let isCancelled = options.isCancelled
        if let thumbnail = try WebPThumbnail(data, stored: stored, size: size) {
            var config = try WebPRaster.config()
            thumbnail.configure(&config)
            let rowCount = try WebPRaster.decode(data, &config, isCancelled)
            guard rowCount == stored.height || options.allowsPartial else { throw WebPRaster.cutOff }
            return try image(
                thumbnail.pixels(rowCount: rowCount, isCancelled: isCancelled), isPartial: rowCount < stored.height)
        }
        let raster = try WebPRaster(
            data, stored: stored, size: WebPRaster.scaledSize(of: stored, for: size),
            allowsPartial: options.allowsPartial, isAbandonable: isAbandonable, isCancelled: isCancelled)
        return try image(raster.pixels.resized(to: size, isCancelled: isCancelled), isPartial: raster.isPartial)
    }

    private static func decodeFrame(
        of file: WebPFile, in bytes: UnsafeBufferPointer<UInt8>, _ options: DecodeOptions
    ) throws(ImageError) -> DecodedImage {
        let placements = file.frames.map(\.placement)
        let size = file.header.storedSize
        let isCancelled = options.isCancelled
        let pixels = try PixelBuffer.composited(placements, upTo: options.frame, on: size, isCancelled: isCancelled) {
            (index, canvas) throws(ImageError) in
            let frame = file.frames[index]
            let rectangle = frame.placement.rectangle
            let raster = try WebPRaster(
                UnsafeBufferPointer(rebasing: bytes[frame.data]), stored: rectangle.size, size: rectangle.size,
                allowsPartial: false, isCancelled: isCancelled)
            canvas.draw(raster.pixels, in: rectangle, over: !frame.placement.hidesCanvas)
        }
        return try DecodedImage(
            stored: pixels, header: file.header, options: options, colors: file.colors(in: bytes),
            isPartial: file.isCutOff)
    }
}

extension WebPCoder: AnimationDecoding {
    /// Reads the chunks of the file and decodes frames on demand. A still image is an animation of one frame.
    public func makeAnimationDecoder(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> any AnimationDecoder
    {
        let (file, colors) = try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            let file = try WebPFile(bytes)
            return (file, file.colors(in: bytes))
        }
        if file.isCutOff, !options.allowsPartial { throw WebPRaster.cutOff }
        return try FrameCompositor(
            WebPFrames(data: data, file: file), isPartial: file.isCutOff, colors: colors, options)
    }

    /// Returns the header with the complete frames; `nil` until announced EXIF, which can rotate them, has arrived.
    public func header(ofBeginning data: Data) -> ImageHeader? {
        data.span.withUnsafeBufferPointer { bytes in
            guard let file = try? WebPFile(bytes), file.isAnimated, file.isOrientationKnown else { return nil }
            return file.header.beginning(isLastFrameWhole: file.frames.last?.isWhole == true)
        }
    }
}

private struct WebPFrames: FrameSource {
    let data: Data
    let file: WebPFile

    var header: ImageHeader { file.header }
    var placements: [FramePlacement] { file.frames.map(\.placement) }

    func draw(_ frame: Int, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Bool {
        let place = file.frames[frame].placement
        let raster = try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            // The range of the data was checked against the end of the file.
            try WebPRaster(
                UnsafeBufferPointer(rebasing: bytes[file.frames[frame].data]), stored: place.rectangle.size,
                size: place.rectangle.size, allowsPartial: false, isCancelled: isCancelled)
        }
        canvas.draw(raster.pixels, in: place.rectangle, over: !place.hidesCanvas)
        return true
    }
}

extension WebPCoder: MetadataReading {
    /// Reads the EXIF and XMP chunks.
    ///
    /// - Throws: `ImageError.badData` if the data is not a WebP.
    public func metadata(of data: Data) throws(ImageError) -> FileMetadata {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            var file = WebPData(bytes: bytes.baseAddress, size: bytes.count)
            var state = WEBP_DEMUX_PARSE_ERROR
            guard let demuxer = WebPDemuxPartial(&file, &state) else {
                throw .badData("This is no WebP, or it is cut off before its image.")
            }
            defer { WebPDemuxDelete(demuxer) }
            func chunk(_ name: String) -> Data? {
                var chunk = WebPChunkIterator()
                defer { WebPDemuxReleaseChunkIterator(&chunk) }
                guard WebPDemuxGetChunk(demuxer, name, 1, &chunk) != 0, let start = chunk.chunk.bytes else {
                    return nil
                }
                return Data(UnsafeBufferPointer(start: start, count: chunk.chunk.size))
            }
            // Some writers add the prefix that EXIF has in JPEG.
            let exif = chunk("EXIF").map { $0.starts(with: Array("Exif\0\0".utf8)) ? Data($0.dropFirst(6)) : $0 }
            return FileMetadata(exif: exif, xmp: chunk("XMP "))
        }
    }

    /// Returns the file with metadata appended.
    ///
    /// - Throws: `ImageError.unsupported` if memory runs out.
    static func insert(_ metadata: (exif: [UInt8]?, xmp: [UInt8]?), into file: Data) throws(ImageError) -> Data {
        let shortage = ImageError.unsupported("The WebP cannot be written: there is no memory left.")
        return try file.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            var source = WebPData(bytes: bytes.baseAddress, size: bytes.count)
            guard let mux = WebPMuxCreate(&source, 0) else { throw shortage }
            defer { WebPMuxDelete(mux) }
            for (name, content) in [("EXIF", metadata.exif), ("XMP ", metadata.xmp)] {
                guard let content else { continue }
                let result = content.withUnsafeBufferPointer { content in
                    var chunk = WebPData(bytes: content.baseAddress, size: content.count)
                    return WebPMuxSetChunk(mux, name, &chunk, 1)
                }
                guard result == WEBP_MUX_OK else { throw shortage }
            }
            var output = WebPData()
            defer { WebPDataClear(&output) }
            guard WebPMuxAssemble(mux, &output) == WEBP_MUX_OK, let start = output.bytes else { throw shortage }
            return Data(UnsafeBufferPointer(start: start, count: output.size))
        }
    }
}
