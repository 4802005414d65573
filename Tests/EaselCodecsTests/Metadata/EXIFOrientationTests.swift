import EaselCore
import Testing

@testable import EaselCodecs

@Suite("Metadata: EXIF orientation")
struct EXIFOrientationTests {
    private let littleEndian: [UInt8] =
        [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0]

    @Test("both byte orders are read")
    func byteOrders() {
        #expect(ImageOrientation(exif: Files.exif(orientation: 6).span) == .right)
        #expect(ImageOrientation(exif: littleEndian.span) == .left)
    }

    @Test("the prefix of JPEG is skipped")
    func prefix() {
        #expect(ImageOrientation(exif: (Array("Exif\0\0".utf8) + littleEndian).span) == .left)
    }

    @Test("a value of type LONG is read")
    func longValue() {
        var block = littleEndian
        block[12] = 4
        #expect(ImageOrientation(exif: block.span) == .left)
    }

    @Test("a damaged block is treated as upright", arguments: [0, 1, 7, 9, 15, 18])
    func cutOff(count: Int) {
        #expect(ImageOrientation(exif: Array(littleEndian.prefix(count)).span) == .up)
    }

    @Test("a directory outside the block is treated as upright")
    func hostileOffset() {
        var block = littleEndian
        block.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(ImageOrientation(exif: block.span) == .up)
    }
}
