import EaselCodecs
import EaselCore
import Foundation
import Testing

/// HDR of every format that has it, beside a PNG of the same numbers and the same code points (ITU-R BT.2100).
@Suite("HDR: the same image, whatever the format")
struct HighDynamicRangeTests {
    private static let deep = DecodeOptions(depth: .sixteen)

    /// - Parameters:
    ///   - samples: the straight words of the file's pixels.
    ///   - tolerance: of the words. The 8 bits of others than PNG are mapped from 8 bits of the curve, whose steps are coarse.
    private func expectSame(
        _ image: DecodedImage, as samples: [UInt16], transfer: Int, tolerance: Int
    ) throws {
        let size = image.size
        let file = Files.png(
            Files.deepPNG(size.width, size.height, samples), withChunk: "cICP", [9, UInt8(transfer), 0, 1])
        let png = try PNGCoder().decode(file, Self.deep)
        let ours = try #require(image.deepPixels)
        let theirs = try #require(png.deepPixels)
        #expect(ours.colors == .perceptualQuantizer && ours.size == size)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (word, other) = (ours[x, y], theirs[x, y])
                #expect(abs(Int(word.red) - Int(other.red)) <= tolerance)
                #expect(abs(Int(word.green) - Int(other.green)) <= tolerance)
                #expect(abs(Int(word.blue) - Int(other.blue)) <= tolerance)
                #expect(word.alpha == .max)
            }
        }
        #expect(image.pixels.largestDifference(from: png.pixels) <= 6)
    }

    /// The file with another transfer function in its `colr` box, and primaries of BT.2020.
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
    @Test("JPEG XL, to the bit but for the arithmetic", arguments: [16, 18])
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
    @Test("HEIC of 10 bits", arguments: [16, 18])
    func heic(transfer: Int) throws {
        let image = try HEICCoder().decode(file(HEIFSamples.deep, transfer: transfer), Self.deep)
        #expect(image.metadata.header?.bitDepth == 10)
        try expectSame(
            image, as: solid(256, [600.0 / 1023, 199.0 / 1023, 400.0 / 1023]), transfer: transfer, tolerance: 80)
    }
    #endif

    #if AVIF
    @Test("AVIF of 12 bits, limited range and halved colours", arguments: [16, 18])
    func avif(transfer: Int) throws {
        let image = try AVIFCoder().decode(file(AVIFSamples.deep, transfer: transfer), Self.deep)
        let deep = try #require(image.deepPixels)
        #expect(deep.colors == .perceptualQuantizer)
        // Its upper half is opaque. The lower one has its colours, under an alpha of a half.
        let row = try #require(try Self.row(of: image, 3))
        try expectSame(
            row, as: solid(16, [3000.0 / 4095, 1000.0 / 4095, 2000.0 / 4095]), transfer: transfer, tolerance: 400)
        #expect(abs(Int(deep[3, 12].red) - Int(deep[3, 3].red) / 2) < 300)
    }
    #endif

    /// One row of an image, of 8 and of 16 bits.
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
