import CDeflate
public import EaselCore
public import EaselFoundation

/// Reads PNG and animated PNG of every depth and color type, and writes PNG.
///
/// The parser is part of Easel. It checks every length, verifies every checksum of headers and data, and applies the
/// limits before it allocates. For a truncated file, `allowsPartial` returns the rows received, or the complete frames
/// of an animation.
public struct PNGCoder: ImageDecoding {
    /// Creates a coder.
    public init() {}

    /// The `png` format. Headers of animated files have the format `apng`.
    public var format: ImageFormat { .png }

    /// Reads the chunks, including the profile name and the durations of all frames. Decompresses no pixels.
    ///
    /// - Throws: `ImageError.badData` if the data is not a PNG, is truncated before its pixels, or is inconsistent.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        let bytes = data.span
        return try PNGRaster(PNGFile(bytes), in: bytes).header(in: bytes)
    }

    /// Decodes the image, or one composited frame of an animation. After cancellation, the inflation of a large image
    /// finishes on a separate thread, since it cannot be interrupted.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData` for damaged or truncated data, `.unsupported` for
    ///   a frame that does not exist, `.cancelled`.
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

    /// The number of pixels, at 8 bytes each, that libdeflate inflates in 12 ms. It inflates an image in one call.
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

    /// Returns the image in 8 and in 16 bits, from a single pass.
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
    /// Writes RGB for opaque images, RGBA for others, 16 bits for deep pixels, without loss. cICP records Display P3
    /// and HDR.
    ///
    /// - Throws: `ImageError.tooLarge` if the size of the file overflows or exceeds the byte limit.
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

    static func compressed(_ pixels: PixelBuffer, hasAlpha: Bool) throws(ImageError) -> [UInt8] {
        try compressed(PNGFilteredRows(pixels, hasAlpha: hasAlpha), pixels.size)
    }

    private static func compressed(
        _ filtered: consuming PNGFilteredRows, _ size: PixelSize
    ) throws(ImageError) -> [UInt8] {
        let rows = filtered.memory.bytes
        // Level 6 is zlib's default. Higher levels take several times as long for a few percent.
        guard let compressor = libdeflate_alloc_compressor(6) else { throw .unsupported("There is no memory left.") }
        defer { libdeflate_free_compressor(compressor) }
        let bound = libdeflate_zlib_compress_bound(compressor, rows.count)
        // The length of a chunk has 31 bits.
        guard bound < Int(Int32.max) else { throw .tooLarge(.pixels(size, limit: Int(Int32.max) / 4)) }
        return [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            count = libdeflate_zlib_compress(compressor, rows.baseAddress, rows.count, buffer.baseAddress, bound)
        }
    }
}

/// Assembles chunks into a file.
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
    /// Reads the eXIf chunk and uncompressed XMP text. The standard advises against compressed XMP.
    ///
    /// - Throws: `ImageError.badData` if the data is not a PNG.
    public func metadata(of data: Data) throws(ImageError) -> FileMetadata {
        let bytes = data.span
        let file = try PNGFile(bytes)
        return FileMetadata(
            exif: file.exif.map { bytes.extracting($0).withUnsafeBytes { Data($0) } },
            xmp: file.xmp.map { bytes.extracting($0).withUnsafeBytes { Data($0) } })
    }
}

extension PNGChunkWriter {
    /// Appends the metadata chunks, which precede the image data.
    mutating func append(_ metadata: (exif: [UInt8]?, xmp: [UInt8]?)?) {
        if let exif = metadata?.exif { append(.exif, exif) }
        if let xmp = metadata?.xmp { append(.internationalText, PNGFile.xmpName.withUTF8Buffer { Array($0) } + xmp) }
    }
}
