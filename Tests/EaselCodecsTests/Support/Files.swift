import EaselCodecs
import EaselCore
import Foundation

/// Files made for tests.
enum Files {
    static func png(_ pixels: PixelBuffer) throws -> Data {
        try PNGCoder().encode(DecodedImage(pixels: pixels, metadata: ImageMetadata()), EncodeOptions())
    }

    static func jpeg(_ pixels: PixelBuffer, quality: Double = 0.95) throws -> Data {
        try JPEGCoder().encode(DecodedImage(pixels: pixels, metadata: ImageMetadata()), EncodeOptions(quality: quality))
    }

    static func webp(_ pixels: PixelBuffer, quality: Double = 1) throws -> Data {
        try WebPCoder().encode(DecodedImage(pixels: pixels, metadata: ImageMetadata()), EncodeOptions(quality: quality))
    }

    #if AVIF
    static func avif(_ pixels: PixelBuffer, quality: Double = 1) throws -> Data {
        try AVIFCoder().encode(
            DecodedImage(pixels: pixels, metadata: ImageMetadata()), EncodeOptions(quality: quality))
    }
    #endif

    #if JXL
    static func jxl(_ pixels: PixelBuffer, quality: Double = 1) throws -> Data {
        try JXLCoder().encode(
            DecodedImage(pixels: pixels, metadata: ImageMetadata()), EncodeOptions(quality: quality))
    }
    #endif

    /// A still GIF of one row: red, green, red, green.
    static let gif = Data(
        gifHeader(width: 4, height: 1)
            + [0x2C, 0, 0, 0, 0, 4, 0, 1, 0, 0]
            // Codes of three bits: clear, 0, 1, then the string 0 1 as code 6, end.
            + [2, 2, 0b0100_0100, 0b1010_1100, 0]
            + [0x3B])

    /// A GIF's signature, screen and a palette of red and green.
    static func gifHeader(width: Int, height: Int) -> [UInt8] {
        Array("GIF89a".utf8)
            + [UInt8(width & 0xFF), UInt8(width >> 8), UInt8(height & 0xFF), UInt8(height >> 8), 0x80, 0, 0]
            + [255, 0, 0, 0, 255, 0]
    }

    /// The smallest EXIF block that holds an orientation.
    static func exif(orientation: Int) -> [UInt8] {
        Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
            + [0, 0, 0, 0]
    }

    /// The PNG with a chunk put in front of its data. The checksum is zero, which only matters for critical chunks.
    static func png(_ file: Data, withChunk name: String, _ content: [UInt8]) -> Data {
        let chunk = bigEndian(content.count) + Array(name.utf8) + content + [0, 0, 0, 0]
        return file.prefix(33) + Data(chunk) + file.dropFirst(33)
    }

    /// The JPEG with an APP1 segment of EXIF behind its start.
    static func jpeg(_ file: Data, withEXIF exif: [UInt8]) -> Data {
        let content = Array("Exif".utf8) + [0, 0] + exif
        let length = content.count + 2
        let segment = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + content
        return file.prefix(2) + Data(segment) + file.dropFirst(2)
    }

    static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
