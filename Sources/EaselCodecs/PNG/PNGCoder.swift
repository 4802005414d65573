import CDeflate
public import EaselCore
public import EaselFoundation

/// Reads PNG and animated PNG of every depth and color type, and writes PNG.
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

    /// Decodes the image, or one frame of an animation composited as shown. A cancelled load leaves the inflating of a large
    /// image, which nothing can interrupt, to a thread of its own.
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
            return try Self.image(of: raster, header, in: bytes, options)
        }
        return try options.abandonable(header.storedSize) { (options) throws(ImageError) in
            let bytes = data.span
            return try Self.image(of: PNGRaster(PNGFile(bytes), in: bytes), header, in: bytes, options)
        }
    }

    /// libdeflate inflates all of an image in one call: these in 12 ms, at 8 bytes a pixel.
    private static let quickPixels = 500_000

    private static func image(
        of raster: PNGRaster, _ header: ImageHeader, in bytes: Span<UInt8>, _ options: DecodeOptions
    ) throws(ImageError) -> DecodedImage {
        var raster = raster
        let colors = raster.convertedColors(in: bytes, to: options.colorSpace)
        do throws(ImageError) {
            if options.wantsDeepPixels(of: header) {
                return try deepImage(of: raster, header, in: bytes, options, colors)
            }
            let pixels = try raster.pixels(
                of: raster.file.imageChunks, in: bytes, size: header.storedSize, isCancelled: options.isCancelled)
            return try DecodedImage(stored: pixels, header: header, options: options, colors: colors)
        } catch {
            guard case .badData = error, raster.file.isCutOff, options.allowsPartial,
                let image = try PNGArrivingImage.part(of: bytes, options)
            else { throw error }
            return image
        }
    }

    /// The image in 8 bits and in 16, read at once.
    private static func deepImage(
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

extension PNGCoder: ImageEncoding {
    /// Writes 8-bit RGB for an opaque image, RGBA for others, and 16 bits where the image has deep pixels. Nothing is lost.
    /// That colors are Display P3 or HDR is written too (cICP).
    ///
    /// - Throws: `ImageError.tooLarge` for an image whose file does not fit the machine, or the bytes that it may have.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        try options.fitting(image, isLossy: false) { (image, _) throws(ImageError) in
            let hasAlpha = !image.pixels.isOpaque
            let deep = image.deepPixels
            var writer = PNGChunkWriter()
            writer.append(.imageHeader, Self.header(image.size, hasAlpha: hasAlpha, bitDepth: deep == nil ? 8 : 16))
            if let points = CodePoints(deep?.colors ?? .standard(image.metadata.colorSpace)) {
                writer.append(.codePoints, [UInt8(points.primaries), UInt8(points.transfer), 0, 1])
            }
            writer.append(options.keptMetadata)
            if let deep {
                writer.append(.imageData, try Self.compressed(PNGFilteredRows(deep, hasAlpha: hasAlpha), deep.size))
            } else {
                writer.append(.imageData, try Self.compressed(image.pixels, hasAlpha: hasAlpha))
            }
            writer.append(.end, [])
            return Data(writer.bytes)
        }
    }

    static func header(_ size: PixelSize, hasAlpha: Bool, bitDepth: UInt8 = 8) -> [UInt8] {
        let colorType: PNGImageHeader.ColorType = hasAlpha ? .rgba : .rgb
        return PNGChunkWriter.bigEndian(size.width) + PNGChunkWriter.bigEndian(size.height)
            + [bitDepth, UInt8(colorType.rawValue), 0, 0, 0]
    }

    /// The data of an image, or of a frame.
    static func compressed(_ pixels: PixelBuffer, hasAlpha: Bool) throws(ImageError) -> [UInt8] {
        try compressed(PNGFilteredRows(pixels, hasAlpha: hasAlpha), pixels.size)
    }

    private static func compressed(
        _ filtered: consuming PNGFilteredRows, _ size: PixelSize
    ) throws(ImageError) -> [UInt8] {
        let rows = filtered.memory.bytes
        // Level 6 is zlib's default; higher ones take several times as long for a few percent.
        guard let compressor = libdeflate_alloc_compressor(6) else { throw .unsupported("There is no memory left.") }
        defer { libdeflate_free_compressor(compressor) }
        let bound = libdeflate_zlib_compress_bound(compressor, rows.count)
        // A chunk's length has 31 bits.
        guard bound < Int(Int32.max) else { throw .tooLarge(.pixels(size, limit: Int(Int32.max) / 4)) }
        return [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            count = libdeflate_zlib_compress(compressor, rows.baseAddress, rows.count, buffer.baseAddress, bound)
        }
    }
}

/// Puts chunks together into a file.
struct PNGChunkWriter {
    private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    mutating func append(_ type: PNGChunkType, _ data: [UInt8]) {
        let name = Self.bigEndian(type.rawValue)
        bytes += Self.bigEndian(data.count) + name + data
        let checksum = libdeflate_crc32(libdeflate_crc32(0, name, name.count), data, data.count)
        bytes += Self.bigEndian(Int(checksum))
    }

    static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

extension PNGCoder: MetadataReading {
    /// Reads the eXIf chunk and the text that holds XMP, where it is not compressed, which the standard advises against.
    ///
    /// - Throws: `ImageError.badData` for what is no PNG.
    public func metadata(of data: Data) throws(ImageError) -> FileMetadata {
        let bytes = data.span
        let file = try PNGFile(bytes)
        return FileMetadata(
            exif: file.exif.map { bytes.extracting($0).withUnsafeBytes { Data($0) } },
            xmp: file.xmp.map { bytes.extracting($0).withUnsafeBytes { Data($0) } })
    }
}

extension PNGChunkWriter {
    /// The chunks of metadata, which stand before the image's data.
    mutating func append(_ metadata: (exif: [UInt8]?, xmp: [UInt8]?)?) {
        if let exif = metadata?.exif { append(.exif, exif) }
        if let xmp = metadata?.xmp { append(.internationalText, PNGFile.xmpName.withUTF8Buffer { Array($0) } + xmp) }
    }
}
