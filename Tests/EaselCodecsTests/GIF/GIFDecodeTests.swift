import EaselCodecs
import EaselCore
import EaselTesting
import Foundation
import Testing

@Suite("GIF: decoding (S004)")
struct GIFDecodeTests {
    private let coder = GIFCoder()
    private let red = Pixel(blue: 0, green: 0, red: 255, alpha: 255)
    private let green = Pixel(blue: 0, green: 255, red: 0, alpha: 255)

    @Test("a code that refers to the entry being defined is decoded")
    func dictionary() throws {
        #expect(try coder.decode(Files.gif, DecodeOptions()).pixels.pixels == [red, green, red, green])
    }

    @Test(
        "codes after a full table without a clear code are decoded, including those of one bit",
        arguments: [1, 2, 4, 8])
    func fullTable(minimumCodeSize: Int) throws {
        var random = SeededGenerator(seed: 7)
        let indices = (0..<90_000).map { _ in UInt8(truncatingIfNeeded: random.next() % (1 << minimumCodeSize)) }
        let file = Files.fullTableGIF(300, 300, indices, minimumCodeSize: minimumCodeSize)
        // Codes of 12 bits beyond the 4,096 of the table.
        #expect(file.count > 800 + 4_096 * 12 / 8 + 2_000)
        let image = try coder.decode(file, DecodeOptions())
        #expect(!image.metadata.isPartial)
        let isSame = image.pixels.pixels.map(\.red) == indices
        #expect(isSame)
    }

    @Test("a missing trailer is ignored")
    func trailer() throws {
        let file = Files.gif.dropLast()
        #expect(try coder.decode(file, DecodeOptions()).pixels.pixels == [red, green, red, green])
    }

    @Test("data that ends early is an error or a partial image")
    func shortData() throws {
        // Four rows are announced, one is present.
        var file = Files.gif
        file[8] = 4
        file[26] = 4
        #expect(throws: ImageError.badData("The image data is damaged or truncated.")) {
            try coder.decode(file, DecodeOptions())
        }
        let image = try coder.decode(file, DecodeOptions(allowsPartial: true))
        #expect(image.metadata.isPartial)
        #expect(image.pixels[3, 0] == green)
        #expect(image.pixels[0, 1].alpha == 0)
    }

    @Test("a code beyond the dictionary is an error")
    func badCode() {
        // Clear, then code 7, which cannot be defined yet.
        let file = Files.gif.prefix(30) + [1, 0b0011_1100, 0, 0x3B]
        #expect(throws: ImageError.self) { try coder.decode(file, DecodeOptions()) }
    }

    @Test("only the versions 87a and 89a are GIF", arguments: ["GIF87a", "GIF89a", "GIF90a", "GIF89b"])
    func version(signature: String) {
        let file = Data(signature.utf8) + Files.gif.dropFirst(6)
        let header = try? coder.header(of: file)
        #expect((header != nil) == ["GIF87a", "GIF89a"].contains(signature))
    }

    @Test("the loop count is that of the looping extension, or 1 without it (X154)", arguments: [0, 1, 3, 300])
    func loops(count: Int) throws {
        let frame = Files.gif.dropFirst(19).dropLast()
        let extensionBlock =
            [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, UInt8(count & 0xFF), UInt8(count >> 8), 0]
        let looping = Files.gif.prefix(19) + Data(extensionBlock) + frame + frame + [0x3B]
        #expect(try coder.header(of: looping).loopCount == count)
        let playsOnce = Files.gif.prefix(19) + frame + frame + [0x3B]
        #expect(try coder.header(of: playsOnce).loopCount == 1)
    }

    @Test("a delay under 11 ms is played as 100 ms (X155)", arguments: [(0, 100), (1, 100), (2, 20), (50, 500)])
    func delay(hundredths: UInt8, milliseconds: Int) throws {
        let frame = Files.gif.dropFirst(19).dropLast()
        let control = Data([0x21, 0xF9, 4, 0, hundredths, 0, 0, 0])
        let file = Files.gif.prefix(19) + control + frame + frame + [0x3B]
        let header = try coder.header(of: file)
        #expect(header.frameDurations == [.milliseconds(milliseconds), .milliseconds(100)])
    }
}
