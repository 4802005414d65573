#if JXL
import EaselCodecs
import EaselCore
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("JPEG XL: decoding")
struct JXLDecodeTests {
    private let coder = JXLCoder()

    @Test("16 bits are rounded to 8")
    func deep() throws {
        let image = try coder.decode(JXLSamples.deep, DecodeOptions())
        #expect(image.metadata.header?.bitDepth == 16)
        #expect(image.pixels.isOpaque)
        #expect(image.pixels[0, 0] == Pixel(blue: 0, green: 100, red: 200, alpha: 255))
        // 15 * 4096 / 257 is 239.07.
        #expect(image.pixels[3, 3] == Pixel(blue: 239, green: 100, red: 200, alpha: 255))
    }

    @Test("premultiplied colors are not premultiplied again")
    func premultiplied() throws {
        let image = try coder.decode(JXLSamples.premultiplied, DecodeOptions())
        #expect(image.pixels[1, 1] == Pixel(blue: 0, green: 50, red: 100, alpha: 128))
    }

    /// Each orientation, with the corners at which the stored top left and top right corners are displayed (TIFF 6.0,
    /// tag 274).
    static let turns: [(value: Int, topLeft: String, topRight: String)] = [
        (1, "TL", "TR"), (2, "TR", "TL"), (3, "BR", "BL"), (4, "BL", "BR"), (5, "TL", "BL"), (6, "TR", "BR"),
        (7, "BR", "TR"), (8, "BL", "TL"),
    ]

    @Test("the orientation of the file is applied, and the header is upright (X163)", arguments: turns)
    func orientation(value: Int, topLeft: String, topRight: String) throws {
        let image = try coder.decode(try #require(JXLSamples.turned[value]), DecodeOptions())
        let header = try #require(image.metadata.header)
        #expect(header.orientation == .up)
        #expect(header.size == (value >= 5 ? PixelSize(3, 5) : PixelSize(5, 3)))
        #expect(image.size == header.size)
        let last = (x: image.size.width - 1, y: image.size.height - 1)
        let corners = [
            "TL": image.pixels[0, 0], "TR": image.pixels[last.x, 0], "BL": image.pixels[0, last.y],
            "BR": image.pixels[last.x, last.y],
        ]
        #expect(corners[topLeft] == Pixel(blue: 7, green: 0, red: 0, alpha: 255))
        #expect(corners[topRight] == Pixel(blue: 7, green: 0, red: 200, alpha: 255))
    }

    @Test("a truncated file is decoded in part if that is allowed")
    func partial() throws {
        // Three parts, the last of which is incomplete.
        let original = try Images.noise(600, 40, seed: 5)
        let file = try Files.jxl(original, quality: 0.7)
        let cut = file.prefix(file.count * 9 / 10)
        let image = try coder.decode(cut, DecodeOptions(allowsPartial: true))
        #expect(image.metadata.isPartial)
        #expect(image.size == original.size)
        let complete = try coder.decode(file, DecodeOptions()).pixels
        #expect((0..<100).allSatisfy { image.pixels[$0, 2] == complete[$0, 2] })
        #expect(image.pixels.pixels != complete.pixels)
        let error = #expect(throws: ImageError.self) { try coder.decode(cut, DecodeOptions()) }
        #expect(error?.code == .badData)
    }

    @Test("cancellation is checked again while the file is read")
    func cancellation() throws {
        let file = try Files.jxl(Images.noise(400, 400, seed: 8))
        try #require(file.count > 5 * 64 << 10)
        let checkCount = Mutex(0)
        let options = DecodeOptions(isCancelled: {
            checkCount.withLock {
                $0 += 1
                return $0 > 4
            }
        })
        #expect(throws: ImageError.cancelled) { try coder.decode(file, options) }
        #expect(checkCount.withLock(\.self) == 5)
    }

    @Test("truncated or changed files return an image or an error")
    func damage() throws {
        let still = try Files.jxl(Images.translucent(24, 24), quality: 0.5)
        for file in [still, JXLSamples.animation] {
            DamagedFiles.expectImageOrError(coder, for: DamagedFiles.cut(file) + DamagedFiles.changed(file))
        }
    }

    @Test("an image of exactly the pixel limit is decoded, and one pixel more is refused")
    func limit() throws {
        #expect(throws: ImageError.tooLarge(.pixels(PixelSize(4, 4), limit: 15))) {
            try coder.decode(JXLSamples.deep, DecodeOptions(limits: ImageLimits(pixels: 15)))
        }
        #expect(try coder.decode(JXLSamples.deep, DecodeOptions(limits: ImageLimits(pixels: 16))).size.width == 4)
    }
}
#endif
