import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("16 bits per channel: formats other than PNG")
struct DeepFormatTests {
    private static let deep = DecodeOptions(depth: .sixteen)

    #if TIFF
    @Test("a TIFF of 16 bits is decoded exactly, in strips and in tiles")
    func tiff() throws {
        let values: [UInt16] = [1, 2, 3, 40_000, 50_000, 60_000, 65_535, 0, 257]
        let bytes = values.flatMap { ClassicFiles.littleEndian16(Int($0)) }
        let strip = ClassicFiles.tiff(3, 1, samples: 3, bits: 16, photometric: 2, pixels: bytes)
        let tiled = ClassicFiles.tiff(
            3, 1, samples: 3, bits: 16, photometric: 2, pixels: bytes + [UInt8](repeating: 9, count: 16 * 96 - 18),
            [
                ClassicFiles.Tag(number: 322, type: 4, values: [16]),
                ClassicFiles.Tag(number: 323, type: 4, values: [16]),
                ClassicFiles.Tag(number: 324, type: 4, values: [8]),
                ClassicFiles.Tag(number: 325, type: 4, values: [16 * 96]),
            ])
        for file in [strip, tiled] {
            let image = try TIFFCoder().decode(file, Self.deep)
            let deep = try #require(image.deepPixels)
            #expect(deep.isOpaque && deep.colors == .standard(.sRGB))
            let expected = [1, 2, 3, 65_535, 40_000, 50_000, 60_000, 65_535, 65_535, 0, 257, 65_535].map { UInt16($0) }
            #expect(DeepPixelTests.words(deep) == expected)
            #expect(image.pixels.pixels == (try TIFFCoder().decode(file, DecodeOptions()).pixels.pixels))
        }
        #expect(try TIFFCoder().decode(strip, DecodeOptions()).deepPixels == nil)
    }

    @Test("a gray TIFF of 16 bits is decoded, inverted and with alpha, premultiplied or not", arguments: [1, 2])
    func grayTIFF(kind: Int) throws {
        let inverted = ClassicFiles.tiff(1, 1, samples: 1, bits: 16, photometric: 0, pixels: [0, 1])
        #expect(
            try TIFFCoder().decode(inverted, Self.deep).deepPixels.map(DeepPixelTests.words)
                == [65_279, 65_279, 65_279, 65_535])
        let glass = ClassicFiles.tiff(
            1, 1, samples: 2, bits: 16, photometric: 1, pixels: [0, 64, 0, 128],
            [ClassicFiles.Tag(number: 338, type: 3, values: [kind])])
        let pixel = try #require(try TIFFCoder().decode(glass, Self.deep).deepPixels)[0, 0]
        #expect(pixel.alpha == 32_768)
        #expect(abs(Int(pixel.red) - (kind == 1 ? 16_384 : 8_192)) <= 1)
    }
    #endif

    #if AVIF
    @Test("an AVIF of 12 bits has its values, with alpha (ISO/IEC 23000-22)")
    func avif() throws {
        let image = try AVIFCoder().decode(AVIFSamples.deep, Self.deep)
        let deep = try #require(image.deepPixels)
        let pixel = deep[3, 3]
        for (value, stored) in zip([pixel.red, pixel.green, pixel.blue], [3000, 1000, 2000]) {
            // A step of 12 bits is 16; that of limited range and subsampled chroma is slightly more.
            #expect(abs(Int(value) - stored * 65_535 / 4095) < 200)
        }
        let below = deep[3, 12]
        #expect(pixel.alpha == .max)
        #expect(abs(Int(below.alpha) - 32_768) < 300)
        #expect(abs(Int(below.red) - Int(pixel.red) / 2) < 300)
    }
    #endif

    #if JXL
    @Test("a JPEG XL of 16 bits has its values")
    func jxl() throws {
        let image = try JXLCoder().decode(JXLSamples.deep, Self.deep)
        let deep = try #require(image.deepPixels)
        for x in 0..<4 {
            #expect(abs(Int(deep[x, 0].red) - 51_400) < 300)
            #expect(abs(Int(deep[x, 0].green) - 25_700) < 300)
        }
        #expect(image.pixels.pixels == (try JXLCoder().decode(JXLSamples.deep, DecodeOptions()).pixels.pixels))
    }
    #endif
}
