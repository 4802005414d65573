import EaselCore
import Foundation
import Testing

@testable import EaselCodecs

@Suite("16 bits per channel: PNG")
struct DeepPixelTests {
    private static let deep = DecodeOptions(depth: .sixteen)

    @Test("a PNG of 16 bits is decoded exactly, interlaced or not", arguments: [false, true])
    func png(isInterlaced: Bool) throws {
        let samples = Self.samples(13, 9)
        let file = Files.deepPNG(13, 9, samples, isInterlaced: isInterlaced)
        let pixels = try #require(try PNGCoder().decode(file, Self.deep).deepPixels)
        #expect(pixels.size == PixelSize(13, 9) && pixels.isOpaque && pixels.colors == .standard(.sRGB))
        #expect(pixels.byteCount == pixels.bytesPerRow * 9 && pixels.bytesPerRow == 128)
        #expect(Self.words(pixels) == samples)
    }

    @Test("a PNG of 16 bits is encoded unchanged, in straight colors")
    func roundTrip() throws {
        let file = Files.deepPNG(13, 9, Self.samples(13, 9))
        let image = try PNGCoder().decode(file, Self.deep)
        let again = try PNGCoder().decode(PNGCoder().encode(image, EncodeOptions()), Self.deep)
        #expect(again.metadata.header?.bitDepth == 16)
        #expect(try Self.words(#require(again.deepPixels)) == Self.words(#require(image.deepPixels)))
        let glass = try DeepPixelBuffer(size: PixelSize(3, 1), isOpaque: false, colors: .standard(.sRGB)) { bytes, _ in
            bytes.withMemoryRebound(to: UInt16.self) { words in
                let values: [UInt16] = [30_000, 20_000, 10_000, 40_000, 0, 0, 0, 0, 1, 2, 3, 65_535]
                for (index, value) in values.enumerated() { words[index] = value }
            }
        }
        var translucent = DecodedImage(pixels: try Images.translucent(3, 1), metadata: ImageMetadata())
        translucent.deepPixels = glass
        let written = try PNGCoder().decode(PNGCoder().encode(translucent, EncodeOptions()), Self.deep)
        #expect(try #require(written.deepPixels)[0, 0] == glass[0, 0])
        #expect(try #require(written.deepPixels)[1, 0] == glass[1, 0])
        #expect(try #require(written.deepPixels)[2, 0] == glass[2, 0])
    }

    @Test("deep pixels do not change those of 8 bits, and add to the memory cost")
    func both() throws {
        let file = Files.deepPNG(13, 9, Self.samples(13, 9))
        let image = try PNGCoder().decode(file, Self.deep)
        let plain = try PNGCoder().decode(file, DecodeOptions())
        #expect(plain.deepPixels == nil)
        #expect(image.pixels.pixels == plain.pixels.pixels)
        #expect(image.memoryCost == plain.memoryCost + 128 * 9)
    }

    @Test("changing only the pixels removes the deep pixels, and a file of 8 bits has none")
    func removed() throws {
        var image = try PNGCoder().decode(Files.deepPNG(13, 9, Self.samples(13, 9)), Self.deep)
        let blurred = try image.applying([.blur(sigma: 2)])
        #expect(blurred.deepPixels == nil)
        image.pixels = blurred.pixels
        #expect(image.deepPixels == nil)
        let shallow = try Files.png(Images.gradient(5, 5))
        #expect(try PNGCoder().decode(shallow, Self.deep).deepPixels == nil)
    }

    @Test("deep pixels are rotated like those of 8 bits", arguments: 1...8)
    func orientation(number: Int) throws {
        // Larger than the kernels' eight columns and the bands of 64 rows.
        var file = Files.deepPNG(13, 69, Self.samples(13, 69))
        file = Files.png(file, withChunk: "eXIf", Files.exif(orientation: number))
        let image = try PNGCoder().decode(file, Self.deep)
        let deep = try #require(image.deepPixels)
        #expect(deep.size == image.size)
        for y in 0..<deep.size.height {
            for x in 0..<deep.size.width {
                let (pixel, word) = (image.pixels[x, y], deep[x, y])
                #expect(pixel.red == Self.byte(word.red))
                #expect(pixel.green == Self.byte(word.green))
                #expect(pixel.blue == Self.byte(word.blue))
            }
        }
    }

    private static let transforms: [ImageTransform] = [
        .flip(.horizontal), .flip(.vertical), .rotate(degrees: 90), .rotate(degrees: 180), .rotate(degrees: 270),
        .cropToSquare, .crop(to: PixelSize(7, 30)), .crop(x: 5, y: 3, width: 100, height: 4),
        .resize(.pixels(width: 16, height: 12)), .resize(.pixels(width: 80, height: 60), upscaling: true),
        .roundedCorners(radius: 6),
    ]

    @Test("transforms keep the depth and change deep pixels like those of 8 bits", arguments: transforms)
    func transformed(by transform: ImageTransform) throws {
        let image = try PNGCoder().decode(Files.deepPNG(40, 30, Self.smooth(40, 30)), Self.deep)
        let result = try image.applying([transform])
        let deep = try #require(result.deepPixels)
        #expect(deep.size == result.size && deep.size != PixelSize(0, 0))
        #expect(deep.isOpaque == result.pixels.isOpaque)
        var worst = 0
        for y in 0..<deep.size.height {
            for x in 0..<deep.size.width {
                let (pixel, word) = (result.pixels[x, y], deep[x, y])
                worst = max(
                    worst, abs(Int(pixel.red) - Int(Self.byte(word.red))),
                    abs(Int(pixel.green) - Int(Self.byte(word.green))),
                    abs(Int(pixel.blue) - Int(Self.byte(word.blue))),
                    abs(Int(pixel.alpha) - Int(Self.byte(word.alpha))))
            }
        }
        // The two are rounded separately.
        #expect(worst <= 1)
        #expect(Set(Self.words(deep).map { $0 & 0xFF }).count > 2)
    }

    @Test("deep pixels are scaled like those of 8 bits except for rounding")
    func scaled() throws {
        let file = Files.deepPNG(40, 30, Self.smooth(40, 30))
        var options = Self.deep
        options.targetSize = .pixels(width: 16, height: 12)
        let image = try PNGCoder().decode(file, options)
        let deep = try #require(image.deepPixels)
        #expect(deep.size == image.size && image.size == PixelSize(16, 12))
        for y in 0..<12 {
            for x in 0..<16 {
                #expect(abs(Int(image.pixels[x, y].red) - Int(Self.byte(deep[x, y].red))) <= 1)
                #expect(deep[x, y].alpha == .max)
            }
        }
    }

    @Test("Display P3 is converted to sRGB in 16 bits as in 8, or kept if requested")
    func colors() throws {
        let file = Files.png(Files.deepPNG(13, 9, Self.samples(13, 9)), withChunk: "cICP", [12, 13, 0, 1])
        let image = try PNGCoder().decode(file, Self.deep)
        let deep = try #require(image.deepPixels)
        for x in 0..<13 {
            #expect(abs(Int(image.pixels[x, 3].green) - Int(Self.byte(deep[x, 3].green))) <= 1)
        }
        var options = Self.deep
        options.colorSpace = .displayP3
        let wide = try #require(try PNGCoder().decode(file, options).deepPixels)
        #expect(wide.colors == .standard(.displayP3))
        #expect(zip(Self.words(wide), Self.samples(13, 9)).allSatisfy { abs(Int($0) - Int($1)) <= 8 })
    }

    @Test("PQ of BT.2020 is kept exactly, and the pixels of 8 bits are tone mapped")
    func perceptualQuantizer() throws {
        let file = Files.png(Files.deepPNG(13, 9, Self.samples(13, 9)), withChunk: "cICP", [9, 16, 0, 1])
        let image = try PNGCoder().decode(file, Self.deep)
        let deep = try #require(image.deepPixels)
        #expect(deep.colors == .perceptualQuantizer)
        #expect(Self.words(deep) == Self.samples(13, 9))
        #expect(image.pixels.pixels == (try PNGCoder().decode(file, DecodeOptions()).pixels.pixels))
        let again = try PNGCoder().decode(PNGCoder().encode(image, EncodeOptions()), Self.deep)
        #expect(again.deepPixels?.colors == .perceptualQuantizer)
    }

    @Test("HLG is converted to PQ: its reference white of 75 % is 203 cd/m2, and black is black (BT.2408)")
    func hybridLogGamma() throws {
        let white = UInt16(0.75 * 65_535)
        let samples: [UInt16] = [white, white, white, .max, 0, 0, 0, .max]
        let file = Files.png(Files.deepPNG(2, 1, samples), withChunk: "cICP", [9, 18, 0, 1])
        let deep = try #require(try PNGCoder().decode(file, Self.deep).deepPixels)
        #expect(deep.colors == .perceptualQuantizer)
        #expect(abs(PerceptualQuantizer.light(Double(deep[0, 0].green) / 65_535) - 203) < 3)
        #expect(deep[1, 0].green == 0)
    }

    @Test("requests that differ only in depth have different keys")
    func key() throws {
        let request = ImageRequest(try #require(URL(string: "https://example.com/a.png")))
        var deep = request
        deep.depth = .sixteen
        #expect(request.key != deep.key)
        #expect(request.familyKey != deep.familyKey)
    }

    private static func byte(_ word: UInt16) -> UInt8 { UInt8((UInt32(word) * 255 + 32_895) >> 16) }

    /// Returns R, G, B, A of all pixels.
    static func words(_ pixels: DeepPixelBuffer) -> [UInt16] {
        (0..<pixels.size.height).flatMap { y in
            (0..<pixels.size.width).flatMap { x in
                let pixel = pixels[x, y]
                return [pixel.red, pixel.green, pixel.blue, pixel.alpha]
            }
        }
    }

    /// Returns opaque samples that use all bits.
    private static func samples(_ width: Int, _ height: Int) -> [UInt16] {
        var words: [UInt16] = []
        for index in 0..<(width * height * 3) {
            words.append(UInt16(truncatingIfNeeded: index * 40_503 + 77))
            if index % 3 == 2 { words.append(.max) }
        }
        return words
    }

    private static func smooth(_ width: Int, _ height: Int) -> [UInt16] {
        var words: [UInt16] = []
        for y in 0..<height {
            for x in 0..<width {
                words += [x * 1500 + 900, y * 2000, 60_000 - x * 700, 65_535].map { UInt16($0) }
            }
        }
        return words
    }
}
