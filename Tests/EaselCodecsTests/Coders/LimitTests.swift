import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("Coders: limits")
struct LimitTests {
    private let coders = CoderRegistry.standard()
    private let huge = PixelSize(50_000, 50_000)

    @Test("a PNG's header over the limit is refused")
    func png() throws {
        let header = Files.bigEndian(50_000) + Files.bigEndian(50_000) + [8, 6, 0, 0, 0]
        var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        file += Files.bigEndian(13) + Array("IHDR".utf8) + header + crc32(Array("IHDR".utf8) + header)
        file += Files.bigEndian(2) + Array("IDAT".utf8) + [0x78, 0x9C] + [0, 0, 0, 0]
        expectTooLarge(file)
    }

    @Test("a JPEG's header over the limit is refused")
    func jpeg() throws {
        var file = try Files.jpeg(Images.gradient(16, 16))
        let frame = try #require(file.firstRange(of: Data([0xFF, 0xC0, 0x00, 0x11, 0x08])))
        file.replaceSubrange(frame.upperBound..<(frame.upperBound + 4), with: [0xC3, 0x50, 0xC3, 0x50])
        expectTooLarge(file)
    }

    @Test("the header of an older format over the limit is refused")
    func classic() {
        expectTooLarge(
            ClassicFiles.bmp(header: ClassicFiles.bitmapHeader(50_000, 50_000, bits: 24), pixels: [0, 0, 0, 0]))
        expectTooLarge(Data("P6 50000 50000 255\n".utf8))
        expectTooLarge(Data(Array("qoif".utf8) + Files.bigEndian(50_000) + Files.bigEndian(50_000) + [4, 0]))
        let bitmap = ClassicFiles.bitmapHeader(50_000, 100_000, bits: 24) + [0, 0, 0, 0]
        expectTooLarge(ClassicFiles.ico([(0, 0, bitmap)]))
    }

    @Test("a GIF's screen over the limit is refused")
    func gif() {
        expectTooLarge(Data(Files.gifHeader(width: 50_000, height: 50_000)) + Files.gif.dropFirst(19))
    }

    @Test("a GIF frame larger than its screen is limited too")
    func gifFrame() {
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 2, 1, 0x44, 0, 0x3B]
        let file = Data(Files.gifHeader(width: 4, height: 4) + frame)
        #expect(throws: ImageError.tooLarge(.pixels(PixelSize(65_535, 65_535), limit: 1000))) {
            try GIFCoder().decode(file, DecodeOptions(limits: ImageLimits(pixels: 1000)))
        }
    }

    @Test("a WebP's canvas over the limit is refused")
    func webp() throws { expectTooLarge(try webp(side: 50_000, frameCount: 1)) }

    @Test("a WebP of more frames than its parser lists is refused")
    func webpFrames() throws {
        let file = try webp(side: 4, frameCount: 20_001)
        #expect(throws: ImageError.tooLarge(.frames(20_001, limit: 20_000))) { try WebPCoder().header(of: file) }
    }

    /// Returns an animated WebP of frames of 4 x 4 pixels.
    private func webp(side: Int, frameCount: Int) throws -> Data {
        let lossless = try Files.webp(Images.gradient(4, 4))
        let image = lossless.dropFirst(12)
        let canvas = Array(littleEndian(side - 1).prefix(3))
        let extended = Array("VP8X".utf8) + [10, 0, 0, 0, 2, 0, 0, 0] + canvas + canvas
        let animation = Array("ANIM".utf8) + [6, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let frameHeader: [UInt8] = [0, 0, 0, 0, 0, 0, 3, 0, 0, 3, 0, 0, 100, 0, 0, 0]
        let frame = Data("ANMF".utf8) + littleEndian(16 + image.count) + frameHeader + image
        let frames = Data(repeatElement(frame, count: frameCount).joined())
        let body = Data("WEBP".utf8) + extended + animation + frames
        return Data("RIFF".utf8) + littleEndian(body.count) + body
    }

    #if AVIF
    @Test("an AVIF's announced size over the limit is refused")
    func avif() throws {
        expectTooLarge(try withHugeSize(Files.avif(Images.gradient(16, 16))))
    }
    #endif

    #if HEIF
    @Test("a HEIC's announced size over the limit is refused")
    func heic() throws {
        expectTooLarge(try withHugeSize(HEIFSamples.turned))
    }
    #endif

    /// Returns a file of boxes with the announced size of its items changed to 50,000 pixels a side.
    private func withHugeSize(_ file: Data) throws -> Data {
        var file = file
        let boxes = file.ranges(of: Data("ispe".utf8))
        try #require(!boxes.isEmpty)
        for box in boxes {
            let size = box.upperBound + 4
            file.replaceSubrange(size..<(size + 8), with: Files.bigEndian(50_000) + Files.bigEndian(50_000))
        }
        return file
    }

    @Test("an image of exactly the pixel limit is decoded, and one pixel more is refused")
    func boundary() throws {
        let file = try Files.png(Images.gradient(10, 10))
        let image = try PNGCoder().decode(file, DecodeOptions(limits: ImageLimits(pixels: 100)))
        #expect(image.size == PixelSize(10, 10))
        #expect(throws: ImageError.tooLarge(.pixels(PixelSize(10, 10), limit: 99))) {
            try PNGCoder().decode(file, DecodeOptions(limits: ImageLimits(pixels: 99)))
        }
    }

    @Test("more frames than allowed are refused")
    func frames() {
        let frame = Files.gif.dropFirst(19).dropLast()
        let file = Files.gif.prefix(19) + frame + frame + frame + [0x3B]
        #expect(throws: ImageError.tooLarge(.frames(3, limit: 2))) {
            try GIFCoder().decode(file, DecodeOptions(limits: ImageLimits(frames: 2)))
        }
    }

    @Test("a GIF of more frames than its parser lists is refused")
    func listedFrames() {
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0]
        let file = Data(Files.gifHeader(width: 1, height: 1) + repeatElement(frame, count: 100_001).joined())
        #expect(throws: ImageError.tooLarge(.frames(100_001, limit: 100_000))) { try GIFCoder().header(of: file) }
    }

    private func expectTooLarge(_ file: Data, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(throws: ImageError.tooLarge(.pixels(huge, limit: 100_000_000)), sourceLocation: sourceLocation) {
            try coders.decoder(for: file).decode(file, DecodeOptions())
        }
    }

    private func littleEndian(_ value: Int) -> [UInt8] {
        Files.bigEndian(value).reversed()
    }

    private func crc32(_ bytes: [UInt8]) -> [UInt8] {
        var crc: UInt32 = .max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return Files.bigEndian(Int(~crc))
    }
}
