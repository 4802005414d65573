import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("BMP: features that the corpora lack")
struct BMPTests {
    private func pixels(_ file: Data, allowsPartial: Bool = false) throws -> [Pixel] {
        try BMPCoder().decode(file, DecodeOptions(allowsPartial: allowsPartial)).pixels.pixels
    }

    private func gray(_ levels: UInt8...) -> [Pixel] {
        levels.map { Pixel(blue: $0, green: $0, red: $0, alpha: 255) }
    }

    private let fourGrays: [UInt8] = [0, 0, 0, 0, 85, 85, 85, 0, 170, 170, 170, 0, 255, 255, 255, 0]

    @Test("the fourth byte of 32 bits is alpha only if the header declares it")
    func reserved() throws {
        let file = ClassicFiles.bmp(header: ClassicFiles.bitmapHeader(1, 1, bits: 32), pixels: [1, 2, 3, 4])
        #expect(try pixels(file) == [Pixel(blue: 1, green: 2, red: 3, alpha: 255)])
        #expect(try !BMPCoder().header(of: file).hasAlpha)
    }

    @Test("alpha that is 0 everywhere is ignored, and other alpha is premultiplied")
    func alpha() throws {
        // A version 3 header, which includes its masks.
        var header = ClassicFiles.bitmapHeader(2, 1, bits: 32, compression: 3)
        header.replaceSubrange(0..<4, with: [56, 0, 0, 0])
        header += [0, 0, 0xFF, 0, 0, 0xFF, 0, 0, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF]
        #expect(
            try pixels(ClassicFiles.bmp(header: header, pixels: [9, 9, 9, 0, 8, 8, 8, 0])) == gray(9, 8))
        #expect(
            try pixels(ClassicFiles.bmp(header: header, pixels: [200, 200, 200, 0, 255, 0, 255, 128]))
                == [Pixel(blue: 0, green: 0, red: 0, alpha: 0), Pixel(blue: 128, green: 0, red: 128, alpha: 128)])
    }

    @Test("components of any width are scaled to eight bits")
    func masks() throws {
        let masks =
            ClassicFiles.littleEndian32(0x3FF0_0000) + ClassicFiles.littleEndian32(0x0000_0F00)
            + ClassicFiles.littleEndian32(0x0000_0001)
        let header = ClassicFiles.bitmapHeader(2, 1, bits: 32, compression: 3)
        let bits = ClassicFiles.littleEndian32(0x3FF0_0801) + ClassicFiles.littleEndian32(0x2000_0F00)
        #expect(
            try pixels(ClassicFiles.bmp(header: header, masks, pixels: bits)) == [
                Pixel(blue: 255, green: 136, red: 255, alpha: 255), Pixel(blue: 0, green: 255, red: 128, alpha: 255),
            ])
    }

    @Test("runs of eight bits can repeat, be literal, pass the edge, or skip to leave clear pixels")
    func runs() throws {
        let header = ClassicFiles.bitmapHeader(4, 2, bits: 8, compression: 1, colors: 4)
        let code: [UInt8] = [2, 1, 0, 3, 2, 3, 2, 0, 0, 0, 0, 2, 1, 0, 9, 3, 0, 1]
        let clear = Pixel(blue: 0, green: 0, red: 0, alpha: 0)
        #expect(
            try pixels(ClassicFiles.bmp(header: header, fourGrays, pixels: code))
                == [clear] + gray(255, 255, 255) + gray(85, 85, 170, 255))
    }

    @Test("runs of four bits alternate between two indices")
    func nibbles() throws {
        let header = ClassicFiles.bitmapHeader(5, 1, bits: 4, compression: 2, colors: 4)
        #expect(
            try pixels(ClassicFiles.bmp(header: header, fourGrays, pixels: [3, 0x12, 0, 2, 0, 0, 2, 0x30, 0, 1]))
                == gray(85, 170, 85, 255, 0))
    }

    @Test("missing rows are clear if partial images are allowed, and otherwise an error", arguments: [false, true])
    func cutOff(isTopDown: Bool) throws {
        let file = ClassicFiles.bmp(
            header: ClassicFiles.bitmapHeader(1, isTopDown ? -2 : 2, bits: 24), pixels: [1, 1, 1, 0])
        let error = #expect(throws: ImageError.self) { try pixels(file) }
        #expect(error?.code == .badData)
        let rows = try pixels(file, allowsPartial: true).map(\.alpha)
        #expect(rows == (isTopDown ? [255, 0] : [0, 255]))
    }

    @Test("an index beyond the palette is black")
    func palette() throws {
        let header = ClassicFiles.bitmapHeader(2, 1, bits: 8, colors: 1)
        #expect(
            try pixels(ClassicFiles.bmp(header: header, [255, 255, 255, 0], pixels: [0, 200, 0, 0])) == gray(255, 0))
    }

    @Test("contradictory headers are errors", arguments: [(16, 1), (24, 1), (8, 2), (5, 0), (24, 3), (8, 77)])
    func contradictions(bits: Int, compression: Int) {
        let file = ClassicFiles.bmp(
            header: ClassicFiles.bitmapHeader(2, 2, bits: bits, compression: compression),
            pixels: [UInt8](repeating: 0, count: 64))
        let error = #expect(throws: ImageError.self) { try pixels(file) }
        #expect(error?.code == .badData)
    }
}
