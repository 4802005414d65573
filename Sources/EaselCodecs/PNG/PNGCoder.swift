import CDeflate
public import EaselCore
public import EaselFoundation

/// A coder that reads PNG and animated PNG of every depth and color type, and writes PNG.
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
    /// - Throws: `ImageError.badData` if the data is not a PNG, is truncated before its pixels, or is inconsistent;
    ///   `.tooLarge` for more than 100,000 frames, whatever the limits.
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
        if file.isAnimated {
            return try Self.compositor(data, file, options, isUsedOnce: true)
                .frame(options.frame, isCancelled: options.isCancelled)
        }
        let header = PNGRaster(file, in: bytes).header(in: bytes)
        try options.check(header)
        guard options.exceeds(header, pixels: Self.synchronousPixelLimit) else {
            return try Self.image(of: file, header, in: bytes, options)
        }
        return try options.runAbandonably(.png, byteCount: header.storedSize.decodingByteCount) {
            (options) throws(ImageError) in try Self.image(of: file, header, in: data.span, options)
        }
    }

    /// The number of pixels, at 8 bytes each, that libdeflate inflates in 12 ms. It inflates an image in one call.
    private static let synchronousPixelLimit = 500_000

    private static func image(
        of file: PNGFile, _ header: ImageHeader, in bytes: Span<UInt8>, _ options: DecodeOptions
    ) throws(ImageError) -> DecodedImage {
        let raster = PNGRaster(file, in: bytes, convertingTo: options.colorSpace)
        func decode(_ deep: PNGRaster.DeepRows? = nil) throws(ImageError) -> DecodedImage {
            let pixels = try raster.pixels(
                of: file.imageChunks, in: bytes, size: header.storedSize, deep: deep, isCancelled: options.isCancelled)
            return try DecodedImage(stored: pixels, header: header, options: options, colors: raster.colors)
        }
        do throws(ImageError) {
            guard options.wantsDeepPixels(of: header) else { return try decode() }
            // Both depths are decoded in a single pass.
            let deep = try DeepRaster(header.storedSize)
            return try decode(.init(deep)).withDeepPixels(
                deep, header: header, options: options, colors: raster.deepColors(in: bytes))
        } catch {
            guard error.code == .badData, file.isTruncated, options.allowsPartial,
                let image = try PNGPartialImage.partialImage(of: bytes, options)
            else { throw error }
            return image
        }
    }
}

extension PNGCoder: ImageEncoding {
    /// Writes RGB for opaque images, RGBA for others, 16 bits for deep pixels, without loss. cICP records Display P3
    /// and HDR.
    ///
    /// - Throws: `ImageError.tooLarge` if the size of the file overflows or exceeds the byte limit.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        let level = options.pngLevel
        return try options.fitting(image, isLossy: false) { (image, _) throws(ImageError) in
            let hasAlpha = !image.pixels.isOpaque
            let deep = image.deepPixels
            var writer = PNGChunkWriter()
            writer.append(.imageHeader, Self.header(image.size, hasAlpha: hasAlpha, bitDepth: deep == nil ? 8 : 16))
            if let points = CodePoints(deep?.colors ?? .standard(image.metadata.colorSpace)) {
                writer.append(.codePoints, [UInt8(points.primaries), UInt8(points.transfer), 0, 1])
            }
            writer.append(options.metadataToWrite)
            if let deep {
                writer.append(.imageData, try Self.compress(deep, hasAlpha: hasAlpha, level: level))
            } else {
                writer.append(.imageData, try Self.compress(image.pixels, hasAlpha: hasAlpha, level: level))
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

    static func compress(_ pixels: PixelBuffer, hasAlpha: Bool, level: Int32) throws(ImageError) -> [UInt8] {
        let order: StraightOrder = hasAlpha ? .rgba : .rgb
        return try compress(pixels.size, bytesPerPixel: order.bytesPerPixel, level: level) { y, row in
            pixels.withRow(y) { order.convert($0, to: row) }
        }
    }

    private static func compress(
        _ pixels: DeepPixelBuffer, hasAlpha: Bool, level: Int32
    ) throws(ImageError) -> [UInt8] {
        let channels = hasAlpha ? 4 : 3
        return try compress(pixels.size, bytesPerPixel: channels * 2, level: level) { y, row in
            pixels.copyStraightRow(y, channels: channels, into: row)
        }
    }

    private static func compress(
        _ size: PixelSize, bytesPerPixel: Int, level: Int32,
        read: (_ y: Int, _ row: UnsafeMutablePointer<UInt8>) -> Void
    ) throws(ImageError) -> [UInt8] {
        let memory = try PNGFilter.rows(of: size, bytesPerPixel: bytesPerPixel, read: read)
        let rows = memory.bytes
        guard let compressor = libdeflate_alloc_compressor(level) else { throw .outOfMemory }
        defer { libdeflate_free_compressor(compressor) }
        let bound = libdeflate_zlib_compress_bound(compressor, rows.count)
        // The length of a chunk has 31 bits.
        guard bound < Int(Int32.max) else { throw .tooLarge(.pixels(size, limit: Int(Int32.max) / 4)) }
        return [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            count = libdeflate_zlib_compress(compressor, rows.baseAddress, rows.count, buffer.baseAddress, bound)
        }
    }
}

extension EncodeOptions {
    /// libdeflate's level, from 1 to 12. By default 6, which is zlib's default too: higher levels take several times as
    /// long for a few percent.
    var pngLevel: Int32 {
        let level = compressionLevel ?? value(forEffort: [1, 1, 2, 3, 4, 6, 7, 8, 10, 12], standard: 6)
        return Int32(min(max(level, 1), 12))
    }
}

/// A writer that assembles chunks into a file.
struct PNGChunkWriter {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private(set) var bytes = signature

    mutating func append(_ type: PNGChunkType, _ data: [UInt8]) {
        let name = Self.bigEndian(type.rawValue)
        bytes += Self.bigEndian(data.count) + name + data
        let checksum = libdeflate_crc32(libdeflate_crc32(0, name, name.count), data, data.count)
        bytes += Self.bigEndian(Int(checksum))
    }

    /// Appends the metadata chunks, which precede the image data.
    mutating func append(_ metadata: (exif: [UInt8]?, xmp: [UInt8]?)?) {
        if let exif = metadata?.exif { append(.exif, exif) }
        if let xmp = metadata?.xmp { append(.internationalText, PNGFile.xmpName.withUTF8Buffer { Array($0) } + xmp) }
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
