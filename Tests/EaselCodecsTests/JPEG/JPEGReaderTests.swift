import EaselCore
import Foundation
import TestSupport
import Testing

@testable import EaselCodecs

/// The reader decodes regular files to the same bytes as libjpeg-turbo, and leaves other files to it.
@Suite("JPEG: the reader and the library")
struct JPEGReaderTests {
    typealias Codes = [(run: Int, value: Int)]

    private static let denominators: [Int32] = [1, 2, 4, 8]
    private static let samplings: [[(across: Int, down: Int)]] = [
        [(1, 1)], [(2, 2)], [(1, 1), (1, 1), (1, 1)], [(2, 1), (1, 1), (1, 1)], [(1, 2), (1, 1), (1, 1)],
        [(2, 2), (1, 1), (1, 1)], [(4, 1), (1, 1), (1, 1)], [(1, 4), (1, 1), (1, 1)], [(4, 2), (1, 1), (1, 1)],
        [(2, 4), (1, 1), (1, 1)], [(2, 2), (2, 1), (1, 2)], [(4, 1), (2, 1), (1, 1)], [(1, 1), (2, 2), (1, 1)],
        [(4, 1), (1, 2), (1, 1)], [(1, 1), (1, 1), (1, 1), (1, 1)], [(2, 2), (1, 1), (1, 1), (2, 2)],
    ]

    /// Returns the rows that the reader decodes, or `nil` for a file that it leaves to the library.
    private func rows(_ file: Data, _ denominator: Int32, firstScanOnly: Bool = false) -> [UInt8]? {
        [UInt8](file).withUnsafeBufferPointer { bytes in
            var scale = JPEGScale(from: PixelSize(8, 8), to: PixelSize(8, 8), hasMeanScan: false)
            scale.denominator = Int(denominator)
            scale.usesFirstScanOnly = firstScanOnly
            guard let start = try? JPEGFile(bytes).start,
                let pixels = try? JPEGReader.pixels(
                    of: Span(_unsafeElements: bytes), start.markers, start.scan, scale, nil, isCancelled: { false })
            else { return nil }
            return rows(pixels)
        }
    }

    private func rows(_ pixels: PixelBuffer) -> [UInt8] {
        pixels.withUnsafeBytes { bytes in
            (0..<pixels.height).flatMap {
                bytes[($0 * pixels.bytesPerRow)..<($0 * pixels.bytesPerRow + pixels.width * 4)]
            }
        }
    }

    private func expectSame(_ file: Data, _ denominator: Int32) {
        let library = JPEGShim.whole(file, denominator: denominator)
        #expect(!library.isDamaged && !library.rows.isEmpty)
        // Compared outside the expectation, which would print all pixels on failure.
        let isSame = rows(file, denominator) == library.rows
        #expect(isSame)
    }

    @Test(
        "units of every shape, with and without restarts, have the same pixels", arguments: samplings.indices,
        denominators)
    func sampling(_ index: Int, _ denominator: Int32) {
        // Only a mean, a mean and one coefficient, a block of low coefficients, and a full one.
        let blocks: [Codes] = [
            [], [(0, 20)], [(0, -3), (1, 1), (0, 2)], [(14, -1)], (1...63).map { (0, $0 % 2 == 0 ? 1 : -1) },
        ]
        // The units of a single component are blocks, so the restarts would be at wrong positions.
        for interval in Self.samplings[index].count > 1 ? [0, 7] : [0] {
            let jpeg = HandmadeJPEG(
                sampling: Self.samplings[index], restartInterval: interval, coefficients: { blocks[$0 % 5] },
                difference: { ($0 * 31) % 41 - 20 })
            expectSame(jpeg.data(), denominator)
        }
    }

    @Test("extreme values, and codes longer than a lookup, have the same pixels", arguments: denominators)
    func extremes(_ denominator: Int32) {
        let steps = [1000, 22, 1, 1, 2000, 2000, -2047, -2047, -2047, -2, -1, 120, -130, 2047, -917]
        let blocks: [Codes] = [
            [(0, 511), (0, -1023), (0, 3), (1, -1)], [(15, 0), (15, 0), (15, 0), (14, -1)], [],
            [(15, 1), (15, -1), (15, 1)], [(0, 1), (15, 0), (15, 0), (14, 1), (0, 17)], [(0, -31), (0, 2), (0, -2)],
        ]
        for codes in [blocks, [[]]] {
            let jpeg = HandmadeJPEG(
                sampling: Self.samplings[2], coefficients: { codes[$0 % codes.count] },
                difference: { steps[$0 / 3 % steps.count] })
            expectSame(jpeg.data(), denominator)
        }
    }

    @Test("encoded baseline and progressive files have the same pixels", arguments: denominators, [false, true])
    func encoded(_ denominator: Int32, isProgressive: Bool) throws {
        for quality in [0.3, 0.8, 0.95, 1] {
            expectSame(try Files.noisyJPEG(quality: quality, isProgressive: isProgressive), denominator)
        }
        // Large enough for pairs of codes.
        let large = try JPEGCoder().encode(
            DecodedImage(pixels: try Images.noise(300, 290, seed: 3), metadata: ImageMetadata()),
            EncodeOptions(quality: 0.6, isProgressive: isProgressive))
        expectSame(large, denominator)
        expectSame(Files.progressiveJPEG, denominator)
    }

    @Test("images of a few pixels have the same pixels", arguments: [false, true])
    func tiny(isProgressive: Bool) throws {
        for width in [1, 2, 3, 4, 5, 8, 9, 16, 17, 33] {
            let file = try JPEGCoder().encode(
                DecodedImage(pixels: try Images.noise(width, 34 - width, seed: 5), metadata: ImageMetadata()),
                EncodeOptions(quality: 0.8, isProgressive: isProgressive))
            for denominator in Self.denominators { expectSame(file, denominator) }
        }
    }

    @Test("the first scan alone results in the image of means")
    func firstScan() throws {
        let whole = rows(Files.progressiveJPEG, 8)
        let first = rows(Files.progressiveJPEG, 8, firstScanOnly: true)
        #expect(first?.count == whole?.count)
        let file = try Files.noisyJPEG(quality: 0.8, isProgressive: true)
        #expect(rows(file, 8, firstScanOnly: true) != nil)
        // Without the end marker, the file is truncated.
        #expect(rows(file.dropLast(2), 8, firstScanOnly: true) == nil)
    }

    @Test("means outside the range of samples have the same pixels in the first scan alone", arguments: [1, 60, 255])
    func extremeMeans(step: UInt8) throws {
        var file = try Files.noisyJPEG(quality: 0.8, isProgressive: true)
        for offset in file.indices.dropLast() where file[offset] == 0xFF && file[offset + 1] == 0xDB {
            file[offset + 5] = step
        }
        let expected = try [UInt8](file).withUnsafeBufferPointer { bytes in
            var scale = JPEGScale(from: PixelSize(8, 8), to: PixelSize(1, 1), hasMeanScan: true)
            scale.usesFirstScanOnly = true
            return rows(try JPEGDecompressor(bytes).pixels(scale, nil, isCancelled: { false }))
        }
        let isSame = rows(file, 8, firstScanOnly: true) == expected
        #expect(isSame)
    }

    @Test("an irregular file is left to the library")
    func irregular() throws {
        let baseline = try Files.noisyJPEG(quality: 0.8, isProgressive: false)
        let progressive = try Files.noisyJPEG(quality: 0.8, isProgressive: true)
        let files = [
            Files.arithmeticJPEG, Files.progressiveArithmeticJPEG, LosslessJPEG().data(),
            HandmadeJPEG(precision: 12).data(), Data(), Data([0xFF, 0xD8]), baseline.prefix(500),
            baseline.prefix(baseline.count - 200), progressive.prefix(progressive.count - 2),
            progressive.prefix(progressive.count / 2),
        ]
        for (index, file) in files.enumerated() { #expect(rows(file, 1) == nil, "\(index)") }
    }

    @Test("a file with more scans than encoders write is left to the library")
    func manyScans() throws {
        let file = Files.progressiveJPEG
        let end = file.count - 2
        #expect(Data(file[end...]) == Data([0xFF, 0xD9]))
        // Empty scans of one coefficient, all out of order.
        let scan = Data([0xFF, 0xDA, 0, 8, 1, 1, 0, 1, 1, 0])
        let bomb = file[..<end] + (0..<1000).reduce(into: Data()) { data, _ in data += scan } + file[end...]
        #expect(rows(Data(bomb), 1) == nil)
    }

    @Test("a damaged file is left to the library, unless the damage changes nothing", arguments: [false, true])
    func damaged(isProgressive: Bool) throws {
        let files = [
            isProgressive ? Files.progressiveJPEG : try Files.jpeg(Images.gradient(50, 41)),
            try JPEGCoder().encode(
                DecodedImage(pixels: try Images.noise(60, 50, seed: 9), metadata: ImageMetadata()),
                EncodeOptions(quality: 0.7, isProgressive: isProgressive)),
        ]
        for file in files {
            for changed in DamagedFiles.changed(file, count: 400) {
                for denominator in [Int32(1), 8] {
                    guard let read = rows(changed, denominator), read.count < 1 << 20 else { continue }
                    let library = JPEGShim.whole(changed, denominator: denominator)
                    let isSame = !library.isDamaged && library.rows == read
                    #expect(isSame)
                }
            }
        }
    }

    @Test("cancelling stops the reader")
    func cancelled() throws {
        for isProgressive in [false, true] {
            let bytes = [UInt8](try Files.noisyJPEG(quality: 0.8, isProgressive: isProgressive))
            let scale = JPEGScale(from: PixelSize(8, 8), to: PixelSize(8, 8), hasMeanScan: false)
            #expect(throws: ImageError.cancelled) {
                try bytes.withUnsafeBufferPointer { bytes in
                    _ = try JPEGFile(bytes).pixels(scale, nil, isCancelled: { true })
                }
            }
        }
    }
}
