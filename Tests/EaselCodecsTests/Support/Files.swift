import EaselCodecs
import EaselCore
import Foundation

/// Files for tests.
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

    /// Returns an animation of these frames and durations.
    static func animation(
        _ frames: [PixelBuffer], milliseconds: [Int], loopCount: Int = 0, isOpaque: Bool = false
    ) -> AnimationFrames {
        AnimationFrames(
            durations: milliseconds.map { .milliseconds($0) }, size: frames.first?.size ?? PixelSize(1, 1),
            loopCount: loopCount, isOpaque: isOpaque
        ) { index in
            frames[index]
        }
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

    /// Returns a GIF's signature, screen and a palette of red and green.
    static func gifHeader(width: Int, height: Int) -> [UInt8] {
        Array("GIF89a".utf8)
            + [UInt8(width & 0xFF), UInt8(width >> 8), UInt8(height & 0xFF), UInt8(height >> 8), 0x80, 0, 0]
            + [255, 0, 0, 0, 255, 0]
    }

    /// Returns the smallest EXIF block with an orientation.
    static func exif(orientation: Int) -> [UInt8] {
        Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
            + [0, 0, 0, 0]
    }

    /// Returns EXIF with a color space and an interoperability index in their directories.
    static func exif(colorSpace: Int, interoperability: String) -> [UInt8] {
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            short(tag) + short(type) + bigEndian(count) + value
        }
        func directory(_ entry: [UInt8]...) -> [UInt8] {
            short(entry.count) + entry.flatMap(\.self) + [0, 0, 0, 0]
        }
        func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
        return Array("MM".utf8) + [0, 42, 0, 0, 0, 8] + directory(entry(0x8769, 4, 1, bigEndian(26)))
            + directory(
                entry(0xA001, 3, 1, short(colorSpace) + [0, 0]), entry(0xA005, 4, 1, bigEndian(56)))
            + directory(entry(0x0001, 2, 4, Array(interoperability.utf8) + [0]))
    }

    /// Returns the content of an iCCP chunk.
    static func profileChunk(_ profile: [UInt8]) -> [UInt8] { Array("name".utf8) + [0, 0] + zlib(profile) }

    /// Returns up to 65,535 bytes as an uncompressed zlib stream.
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        let count = [UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8)]
        var (a, b) = (1, 0)
        for byte in bytes {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return [0x78, 0x01, 1] + count + count.map { ~$0 } + bytes + bigEndian(b << 16 | a)
    }

    /// Returns the PNG with a chunk before its data. Its checksum is zero, which matters only for critical chunks.
    static func png(_ file: Data, withChunk name: String, _ content: [UInt8]) -> Data {
        let chunk = bigEndian(content.count) + Array(name.utf8) + content + [0, 0, 0, 0]
        return file.prefix(33) + Data(chunk) + file.dropFirst(33)
    }

    /// Returns the JPEG with an APP1 segment of EXIF after its start.
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
