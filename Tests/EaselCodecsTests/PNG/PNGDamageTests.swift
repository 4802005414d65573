import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("PNG: damage")
struct PNGDamageTests {
    private let coder = PNGCoder()

    @Test("a changed byte in any critical chunk is detected by its checksum")
    func checksums() throws {
        let file = try Files.png(Images.gradient(5, 4))
        // All bytes except the empty last chunk.
        for offset in 8..<(file.count - 12) {
            var changed = file
            changed[offset] ^= 0x10
            #expect(throws: ImageError.self, "byte \(offset)") { try coder.decode(changed, DecodeOptions()) }
        }
    }

    @Test("an unknown critical chunk is refused")
    func unknownCriticalChunk() throws {
        let file = try Files.png(Images.gradient(2, 2))
        #expect(throws: ImageError.badData("The PNG contains an unknown critical chunk.")) {
            try coder.header(of: Files.png(file, withChunk: "ABCD", []))
        }
        #expect(try coder.header(of: Files.png(file, withChunk: "abCD", [])).size == PixelSize(2, 2))
    }

    @Test("the complete rows of a truncated image are decoded if partial images are allowed")
    func cutOff() throws {
        let original = try Images.noise(16, 16, seed: 1)
        let file = try Files.png(original)
        let cut = file.prefix(file.count / 2)
        #expect(try coder.header(of: cut).size == PixelSize(16, 16))
        #expect(throws: ImageError.badData("The image data is damaged or truncated.")) {
            try coder.decode(cut, DecodeOptions())
        }
        let image = try coder.decode(cut, DecodeOptions(allowsPartial: true))
        #expect(image.metadata.isPartial)
        let rows = image.pixels.visibleRows
        #expect((5...8).contains(rows))
        #expect(!image.pixels.isOpaque)
        #expect(image.pixels.pixels.prefix(rows * 16) == original.pixels.prefix(rows * 16))
    }

    @Test("an image truncated before its first row is an error even if partial images are allowed")
    func noRows() throws {
        let file = try Files.png(Images.noise(16, 16, seed: 1))
        #expect(throws: ImageError.badData("The image data is damaged or truncated.")) {
            try coder.decode(file.prefix(50), DecodeOptions(allowsPartial: true))
        }
    }

    @Test("a damaged image that is not truncated is an error even if partial images are allowed")
    func damaged() throws {
        var file = try Files.png(Images.noise(16, 16, seed: 1))
        file[file.count / 2] ^= 1
        #expect(throws: ImageError.badData("The image data is damaged or truncated.")) {
            try coder.decode(file, DecodeOptions(allowsPartial: true))
        }
    }

    @Test("a missing last chunk is ignored")
    func end() throws {
        let pixels = try Images.noise(4, 4, seed: 1)
        let file = try Files.png(pixels).dropLast(12)
        #expect(try coder.decode(file, DecodeOptions()).pixels.pixels == pixels.pixels)
    }
}
