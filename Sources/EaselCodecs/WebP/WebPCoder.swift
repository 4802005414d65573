public import EaselCore

public import EaselFoundation

/// Reads and writes still and animated WebP through libwebp.
///
/// To half the size and less libwebp scales while it decodes, so that the whole picture is never in memory. Of a lossy one to a
/// quarter and less it gives planes of the kind that video has, a byte and a half a pixel, which are averaged before they
/// become colours.
public struct WebPCoder: ImageDecoding {
    /// A coder; it has no settings.
    public init() {}

    /// `webp`.
    public var format: ImageFormat { .webp }

    /// Reads the chunks; no pixel is decoded.
    ///
    /// - Throws: `ImageError.badData` for what is not a WebP, or is cut off before its first frame's header.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            try WebPFile(bytes).header
        }
    }

    /// Decodes the picture, or one frame of an animation composited as shown.
    ///
    /// A cut-off file is an error, or, with `allowsPartial`, the rows that are there over transparency; of an animation,
    /// the frames that are whole. A cancelled load leaves a large lossless picture, which libwebp decodes in one go or slowly,
    /// to a thread of its own.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported` for a frame that is not there,
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
