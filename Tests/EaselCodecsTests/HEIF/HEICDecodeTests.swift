#if HEIF
import EaselCodecs
import EaselCore
import Foundation
import TestSupport
import Testing

@Suite("HEIC: decoding")
struct HEICDecodeTests {
    private let coder = HEICCoder()

    @Test("alpha is kept and colors are premultiplied")
    func alpha() throws {
        let image = try coder.decode(HEIFSamples.alpha, DecodeOptions())
        #expect(image.size == PixelSize(64, 48))
        #expect(image.metadata.header?.hasAlpha == true)
        #expect(image.pixels[4, 24].alpha >= 250)
        let right = image.pixels[56, 24]
        #expect(abs(Int(right.alpha) - 64) <= 8)
        #expect(right.red <= right.alpha)
        #expect(abs(Int(right.red) - 57) <= 10)
    }

    @Test("the rotation of the file is applied, and the header is upright (X163)")
    func orientation() throws {
        let image = try coder.decode(HEIFSamples.turned, DecodeOptions())
        let header = try #require(image.metadata.header)
        #expect(header.orientation == .up)
        #expect(header.size == PixelSize(48, 64))
        #expect(image.size == header.size)
        // Rotated clockwise: values that increase to the right increase downwards, and those that increase downwards
        // increase to the left.
        #expect(image.pixels[24, 60].red > 200)
        #expect(image.pixels[24, 4].red < 50)
        #expect(image.pixels[4, 32].green > 200)
        #expect(image.pixels[44, 32].green < 50)
    }

    @Test(
        "10 bits are converted with the matrix and range of the color box, to 16 bits and to 8",
        arguments: [
            (0, true, [696, 342, 545]), (1, true, [632, 250, 403]), (6, false, [620, 162, 392]),
            (9, true, [613, 231, 404]), (9, false, [635, 199, 396]),
        ] as [(UInt8, Bool, [Int])])
    func matrix(matrix: UInt8, isFullRange: Bool, samples: [Int]) throws {
        let file = HEIFSamples.deepTile(matrix: matrix, isFullRange: isFullRange)
        let image = try coder.decode(file, DecodeOptions(depth: .sixteen))
        #expect(image.size == PixelSize(64, 64))
        let word = try #require(image.deepPixels)[32, 32]
        let pixel = image.pixels[32, 32]
        for (sample, expected) in zip([word.red, word.green, word.blue], samples) {
            #expect(abs(Int(sample) * 1023 / 65_535 - expected) <= 2)
        }
        for (sample, expected) in zip([pixel.red, pixel.green, pixel.blue], samples) {
            #expect(abs(Int(sample) - expected / 4) <= 2)
        }
    }

    @Test("the thumbnail is used for target sizes up to its own")
    func thumbnail() throws {
        func center(_ target: TargetSize) throws -> Pixel {
            let image = try coder.decode(HEIFSamples.thumbnail, DecodeOptions(targetSize: target))
            return image.pixels[image.size.width / 2, image.size.height / 2]
        }
        #expect(try center(.pixels(width: 64, height: 48)).green > 240)
        #expect(try center(.pixels(width: 20, height: 20)).green > 240)
        #expect(try center(.pixels(width: 65, height: 49)).green < 140)
        #expect(try center(.original).green < 140)
    }

    @Test("the header of a thumbnail is that of the image")
    func thumbnailHeader() throws {
        let options = DecodeOptions(targetSize: .pixels(width: 32, height: 32))
        let image = try coder.decode(HEIFSamples.thumbnail, options)
        #expect(image.size == PixelSize(32, 24))
        #expect(image.metadata.header?.size == PixelSize(256, 192))
        #expect(image.metadata.isThumbnail)
    }

    @Test("a sequence without a still image is unsupported")
    func sequence() {
        let boxes: [UInt8] =
            [0, 0, 0, 16] + Array("ftypmsf1".utf8) + [0, 0, 0, 0] + [0, 0, 0, 8] + Array("moov".utf8)
        let error = #expect(throws: ImageError.self) { try coder.header(of: Data(boxes)) }
        #expect(error?.code == .unsupported)
    }

    @Test("truncated or changed files return an image or an error")
    func damage() {
        let file = HEIFSamples.alpha
        DamagedFiles.expectImageOrError(coder, for: DamagedFiles.cut(file) + DamagedFiles.changed(file))
    }

    @Test("an image of exactly the pixel limit is decoded, and one pixel more is refused")
    func limit() throws {
        #expect(throws: ImageError.tooLarge(.pixels(PixelSize(64, 48), limit: 3071))) {
            try coder.decode(HEIFSamples.alpha, DecodeOptions(limits: ImageLimits(pixels: 3071)))
        }
        let options = DecodeOptions(limits: ImageLimits(pixels: 3072))
        #expect(try coder.decode(HEIFSamples.alpha, options).size == PixelSize(64, 48))
    }
}
#endif
