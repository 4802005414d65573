import CDeflate
public import EaselCore

public import EaselFoundation

extension PNGCoder: ImageEncoding {
    /// Writes 8-bit RGB for an opaque picture, RGBA for others, and 16 bits where the picture has deep pixels. Nothing is lost.
    /// That colours are Display P3 or HDR is written too (cICP).
    ///
    /// - Throws: `ImageError.tooLarge` for a picture whose file does not fit the machine, or the bytes that it may have.
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

    /// The data of a picture, or of a frame.
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
