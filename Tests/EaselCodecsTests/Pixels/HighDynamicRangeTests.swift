import EaselCodecs
import EaselCore
import Foundation
import Testing

/// HDR of every format that supports it, compared with a PNG of the same values and code points (ITU-R BT.2100).
@Suite("HDR")
struct HighDynamicRangeTests {
    private static let deep = DecodeOptions(depth: .sixteen)

    /// Compares an image with a PNG of the same values.
    ///
    /// - Parameters:
    ///   - samples: The straight words of the file's pixels.
    ///   - tolerance: The tolerance of words. That of the 8-bit pixels is fixed, because formats other than PNG are
    ///     tone mapped from the coarse steps of 8 bits.
    private func expectSame(
        _ image: DecodedImage, as samples: [UInt16], transfer: Int, tolerance: Int
    ) throws {
        let size = image.size
        let file = Files.png(
            Files.deepPNG(size.width, size.height, samples), withChunk: "cICP", [9, UInt8(transfer), 0, 1])
        let png = try PNGCoder().decode(file, Self.deep)
        let actual = try #require(image.deepPixels)
        let expected = try #require(png.deepPixels)
        #expect(actual.colors == .perceptualQuantizer && actual.size == size)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (word, other) = (actual[x, y], expected[x, y])
                #expect(abs(Int(word.red) - Int(other.red)) <= tolerance)
                #expect(abs(Int(word.green) - Int(other.green)) <= tolerance)
                #expect(abs(Int(word.blue) - Int(other.blue)) <= tolerance)
                #expect(word.alpha == .max)
            }
        }
        #expect(image.pixels.largestDifference(from: png.pixels) <= 6)
    }

    /// Returns the file with another transfer function in its `colr` box, and primaries of BT.2020.
    private func file(_ data: Data, transfer: Int) throws -> Data {
        let box = try #require(data.range(of: Data("colrnclx".utf8)))
        var changed = data
        changed.replaceSubrange(box.upperBound..<(box.upperBound + 4), with: [0, 9, 0, UInt8(transfer)])
        return changed
    }

    private func solid(_ count: Int, _ values: [Double]) -> [UInt16] {
        let pixel = values.map { UInt16(($0 * 65_535).rounded()) } + [UInt16.max]
        return (0..<count).flatMap { _ in pixel }
    }

    #if JXL
    @Test("JPEG XL is decoded like PNG except for rounding", arguments: [16, 18])
    func jxl(transfer: Int) throws {
        var samples: [UInt16] = []
        for index in 0..<16 {
            samples.append(UInt16(20_000 + index % 4 * 3_000))
            samples.append(UInt16(10_000 + index / 4 * 5_000))
            samples += [40_000, 65_535]
        }
        let file = transfer == 16 ? JXLSamples.perceptualQuantizer : JXLSamples.hybridLogGamma
        try expectSame(JXLCoder().decode(file, Self.deep), as: samples, transfer: transfer, tolerance: 8)
    }
    #endif

    #if HEIF
    @Test("HEIC of 10 bits is decoded like PNG", arguments: [16, 18])
    func heic(transfer: Int) throws {
        let image = try HEICCoder().decode(file(HEIFSamples.deep, transfer: transfer), Self.deep)
        #expect(image.metadata.header?.bitDepth == 10)
        try expectSame(
            image, as: solid(256, [600.0 / 1023, 199.0 / 1023, 400.0 / 1023]), transfer: transfer, tolerance: 80)
    }
    #endif

    #if AVIF
    @Test("AVIF of 12 bits with limited range and subsampled chroma is decoded like PNG", arguments: [16, 18])
    func avif(transfer: Int) throws {
        let image = try AVIFCoder().decode(file(AVIFSamples.deep, transfer: transfer), Self.deep)
        let deep = try #require(image.deepPixels)
        #expect(deep.colors == .perceptualQuantizer)
        // The upper half is opaque. The lower half has the same colors with an alpha of a half.
        let row = try #require(try Self.row(of: image, 3))
        try expectSame(
            row, as: solid(16, [3000.0 / 4095, 1000.0 / 4095, 2000.0 / 4095]), transfer: transfer, tolerance: 400)
        #expect(abs(Int(deep[3, 12].red) - Int(deep[3, 3].red) / 2) < 300)
    }
    #endif

    /// Returns one row of an image, of 8 and of 16 bits.
    private static func row(of image: DecodedImage, _ y: Int) throws -> DecodedImage? {
        guard let deep = image.deepPixels else { return nil }
        let size = PixelSize(image.size.width, 1)
        var row = DecodedImage(
            pixels: try PixelBuffer(size: size, isOpaque: true) { bytes, _ in
                image.pixels.withUnsafeBytes { source in
                    let start = y * image.pixels.bytesPerRow
                    bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<(start + size.width * 4)]))
                }
            }, metadata: image.metadata)
        row.deepPixels = try DeepPixelBuffer(size: size, isOpaque: true, colors: deep.colors) { bytes, _ in
            deep.withUnsafeBytes { source in
                let start = y * deep.bytesPerRow
                bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<(start + size.width * 8)]))
            }
        }
        return row
    }
}
