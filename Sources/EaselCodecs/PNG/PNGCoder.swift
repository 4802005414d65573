public import EaselCore

public import EaselFoundation

/// Reads PNG and animated PNG of every depth and colour type, and writes PNG.
///
/// The reader is Easel's own: every length is checked, every header and data checksum is verified, and nothing is
/// allocated before the limits are asked. Of a file that is cut off, `allowsPartial` gives the rows that are there, and
/// of an animation the frames that are whole.
public struct PNGCoder: ImageDecoding {
    /// A coder; it has no settings.
    public init() {}

    /// `png`; headers of animated files say `apng`.
    public var format: ImageFormat { .png }

    /// Reads the chunks. Profile names and the durations of all frames are there; no pixel is decompressed.
    ///
    /// - Throws: `ImageError.badData` for what is not a PNG, is cut off before its data, or contradicts itself.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        let bytes = data.span
        return try PNGRaster(PNGFile(bytes), in: bytes).header(in: bytes)
    }

    /// Decodes the picture, or one frame of an animation composited as shown. A cancelled load leaves the inflating of a large
    /// picture, which nothing can interrupt, to a thread of its own.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData` for damaged or cut-off data, `.unsupported` for a
    ///   frame that is not there, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let bytes = data.span
        let file = try PNGFile(bytes)
        let raster = PNGRaster(file, in: bytes)
        let header = raster.header(in: bytes)
        try options.check(header)
        try options.checkCancellation()
        if file.isAnimated { return try Self.frame(of: raster, header, in: bytes, options) }
        guard options.isLong(header, beyond: Self.quickPixels) else {
            return try Self.picture(of: raster, header, in: bytes, options)
        }
        return try options.abandonable(header.storedSize) { (options) throws(ImageError) in
            let bytes = data.span
            return try Self.picture(of: PNGRaster(PNGFile(bytes), in: bytes), header, in: bytes, options)
        }
    }

    /// libdeflate inflates all of a picture in one call: these in 12 ms, at 8 bytes a pixel.
    private static let quickPixels = 500_000

    private static func picture(
        of raster: PNGRaster, _ header: ImageHeader, in bytes: Span<UInt8>, _ options: DecodeOptions
    ) throws(ImageError) -> DecodedImage {
        var raster = raster
        let colors = raster.convertedColors(in: bytes, to: options.colorSpace)
        do throws(ImageError) {
            if options.wantsDeepPixels(of: header) {
                return try deepPicture(of: raster, header, in: bytes, options, colors)
            }
            let pixels = try raster.pixels(
                of: raster.file.imageChunks, in: bytes, size: header.storedSize, isCancelled: options.isCancelled)
            return try DecodedImage(stored: pixels, header: header, options: options, colors: colors)
        } catch {
            guard case .badData = error, raster.file.isCutOff, options.allowsPartial,
                let image = try PNGArrivingPicture.part(of: bytes, options)
            else { throw error }
            return image
        }
    }

    /// The picture in 8 bits and in 16, read at once.
    private static func deepPicture(
        of raster: PNGRaster, _ header: ImageHeader, in bytes: Span<UInt8>, _ options: DecodeOptions,
        _ colors: ColorDescription?
    ) throws(ImageError) -> DecodedImage {
        let deep = try DeepRaster(header.storedSize)
        let pixels = try raster.pixels(
            of: raster.file.imageChunks, in: bytes, size: header.storedSize,
            deep: PNGRaster.DeepRows(words: deep.words, bytesPerRow: deep.bytesPerRow), isCancelled: options.isCancelled
        )
        return try DecodedImage(stored: pixels, header: header, options: options, colors: colors)
            .withDeepPixels(deep, header: header, options: options, colors: raster.deepColors(in: bytes))
    }

    private static func frame(
        of raster: PNGRaster, _ header: ImageHeader, in bytes: Span<UInt8>, _ options: DecodeOptions
    ) throws(ImageError) -> DecodedImage {
        var raster = raster
        let isCutOff = raster.file.isCutOff
        if isCutOff, !options.allowsPartial { throw .badData("The animated PNG is cut off before its end.") }
        let colors = raster.convertedColors(in: bytes, to: options.colorSpace)
        let pixels = try raster.composited(frame: options.frame, in: bytes, isCancelled: options.isCancelled)
        let image = try DecodedImage(
            stored: pixels, header: header, options: options, colors: colors, isPartial: isCutOff)
        guard options.wantsDeepPixels(of: header), !isCutOff else { return image }
        let deep = try DeepCompositor(raster.placements, size: header.storedSize)
        let (drawn, description) = (raster, raster.deepColors(in: bytes))
        return try deep.show(options.frame, isCancelled: options.isCancelled) { (index, canvas) throws(ImageError) in
            try drawn.draw(drawn.file.frames[index], in: bytes, on: canvas, isCancelled: options.isCancelled)
        } _: { (deep) throws(ImageError) in
            try image.withDeepPixels(deep, header: header, options: options, colors: description)
        }
    }
}
