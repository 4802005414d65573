import EaselCodecs
import EaselCore
import EaselTesting
import Foundation
import Testing

@Suite("QOI")
struct QOITests {
    private let coder = QOICoder()

    @Test("images are unchanged", arguments: [(1, 1), (3, 2), (200, 3), (31, 77)])
    func roundTrip(width: Int, height: Int) throws {
        let images = [
            try Images.gradient(width, height), try Images.noise(width, height, seed: 1),
            try Images.translucent(width, height),
            try PixelBuffer.drawn(width, height, isOpaque: true) { x, _ in
                Pixel(blue: 0, green: x > 64 ? 1 : 0, red: 0, alpha: 255)
            },
        ]
        for image in images {
            let file = try coder.encode(DecodedImage(pixels: image, metadata: ImageMetadata()), EncodeOptions())
            #expect(try coder.decode(file, DecodeOptions()).pixels.pixels == image.pixels)
            #expect(try coder.header(of: file).hasAlpha == !image.isOpaque)
        }
    }

    /// One chunk of each kind, from the description in the specification.
    @Test("every chunk is decoded according to the specification")
    func steps() throws {
        var steps: [UInt8] = [0xFE, 128, 0, 0]  // Red 128.
        steps.append(0b01_11_01_10)  // One more red, one less green, wrapping around.
        steps += [0x80 | 33, 0xA7]  // One more green, two more than that of red, one less of blue.
        steps.append(0xC1)  // Twice again.
        steps.append(UInt8((128 * 3 + 255 * 11) % 64))  // The first one, by its hash.
        steps += [0xFF, 10, 20, 30, 255]
        let header: [UInt8] = Array("qoif".utf8) + [0, 0, 0, 7, 0, 0, 0, 1, 3, 0]
        let end: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
        let file = Data(header + steps + end)
        let expected: [(UInt8, UInt8, UInt8)] = [
            (128, 0, 0), (129, 255, 0), (132, 0, 0), (132, 0, 0), (132, 0, 0), (128, 0, 0), (10, 20, 30),
        ]
        #expect(
            try coder.decode(file, DecodeOptions()).pixels.pixels
                == expected.map { Pixel(blue: $0.2, green: $0.1, red: $0.0, alpha: 255) })
    }

    @Test("a header that announces more pixels than the file can contain is refused before allocation")
    func impossibleSize() {
        let file = Data(Array("qoif".utf8) + [0, 0, 0x20, 0, 0, 0, 0x20, 0, 4, 0] + [UInt8](repeating: 0, count: 20))
        let error = #expect(throws: ImageError.self) { try coder.decode(file, DecodeOptions()) }
        #expect(error?.code == .badData)
    }
}
