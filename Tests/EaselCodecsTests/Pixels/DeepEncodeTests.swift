import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("16 bits per channel and wide colors: encoding")
struct DeepEncodeTests {
    private static let deep = DecodeOptions(depth: .sixteen)
    private static let colors = [DeepColors.standard(.sRGB), .standard(.displayP3), .perceptualQuantizer]

    /// Returns an image in steps far below those of 8 bits; half transparent on the right unless it is opaque.
    private static func image(_ colors: DeepColors, isOpaque: Bool = true) throws -> DecodedImage {
        let size = PixelSize(16, 8)
        var image = DecodedImage(pixels: try Images.gradient(16, 8), metadata: ImageMetadata())
        if !isOpaque { image.pixels = PixelBuffer(image.pixels, isOpaque: false) }
        image.deepPixels = try DeepPixelBuffer(size: size, isOpaque: isOpaque, colors: colors) { bytes, bytesPerRow in
            for y in 0..<8 {
                for x in 0..<16 {
                    let words: [UInt16] = [
                        UInt16(20_000 + x * 333), UInt16(30_000 + y * 777), 10_000, isOpaque || x < 8 ? .max : 32_768,
                    ]
                    for (index, word) in words.enumerated() {
                        let value = index < 3 && words[3] != .max ? word / 2 : word
                        bytes.storeBytes(of: value, toByteOffset: y * bytesPerRow + x * 8 + index * 2, as: UInt16.self)
                    }
                }
            }
        }
        if case .standard(let space) = colors { image.metadata.colorSpace = space }
        return image
    }

    private func difference(_ image: DecodedImage, _ other: DecodedImage) throws -> Int {
        let deep = try #require(image.deepPixels)
        let expected = try #require(other.deepPixels)
        #expect(deep.colors == expected.colors && deep.size == expected.size && deep.isOpaque == expected.isOpaque)
        var worst = 0
        for y in 0..<deep.size.height {
            for x in 0..<deep.size.width {
                let (a, b) = (deep[x, y], expected[x, y])
                let (first, second) = ([a.red, a.green, a.blue, a.alpha], [b.red, b.green, b.blue, b.alpha])
                for channel in 0..<4 { worst = max(worst, abs(Int(first[channel]) - Int(second[channel]))) }
            }
        }
        return worst
    }

    private func options(for colors: DeepColors) -> DecodeOptions {
        var options = Self.deep
        if case .standard(let space) = colors { options.colorSpace = space }
        return options
    }

    #if JXL
    @Test("JPEG XL keeps 16 bits losslessly except for premultiplication", arguments: colors, [true, false])
    func jxl(colors: DeepColors, isOpaque: Bool) throws {
        let image = try Self.image(colors, isOpaque: isOpaque)
        let file = try JXLCoder().encode(image, EncodeOptions(isLossless: true))
        let again = try JXLCoder().decode(file, options(for: colors))
        #expect(again.metadata.header?.bitDepth == 16)
        #expect(try difference(again, image) <= 8)
    }

    @Test("JPEG XL approximates 16 bits at the default quality, and keeps HDR except for rounding", arguments: colors)
    func lossyJXL(colors: DeepColors) throws {
        let image = try Self.image(colors)
        let again = try JXLCoder().decode(JXLCoder().encode(image, EncodeOptions()), options(for: colors))
        #expect(try difference(again, image) < (colors == .perceptualQuantizer ? 9 : 1_500))
    }
    #endif

    #if AVIF
    @Test("AVIF keeps 10 bits", arguments: colors, [true, false])
    func avif(colors: DeepColors, isOpaque: Bool) throws {
        let image = try Self.image(colors, isOpaque: isOpaque)
        let again = try AVIFCoder().decode(
            AVIFCoder().encode(image, EncodeOptions(isLossless: true)), options(for: colors))
        #expect(again.metadata.header?.bitDepth == 10)
        // A step of 10 bits is 64.
        #expect(try difference(again, image) <= 80)
    }
    #endif

    @Test("8 bits of Display P3 are marked in every format that supports it")
    func displayP3() throws {
        let image = DecodedImage(pixels: try Images.gradient(16, 8), metadata: ImageMetadata(colorSpace: .displayP3))
        var files = [try PNGCoder().encode(image, EncodeOptions())]
        #if AVIF
        files.append(try AVIFCoder().encode(image, EncodeOptions(isLossless: true)))
        #endif
        #if JXL
        files.append(try JXLCoder().encode(image, EncodeOptions(isLossless: true)))
        #endif
        let registry = CoderRegistry.standard()
        for file in files {
            let again = try registry.decoder(for: file).decode(file, DecodeOptions(colorSpace: .displayP3))
            #expect(again.pixels.largestDifference(from: image.pixels) <= 1)
        }
    }
}
