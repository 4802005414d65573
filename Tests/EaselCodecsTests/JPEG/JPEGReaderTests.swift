import EaselCore
import Foundation
import Testing

@testable import EaselCodecs

/// The reader against libjpeg-turbo, to the byte: it takes what is regular, and leaves what is not.
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

    /// The rows that the reader gives; `nil` for a file that it leaves to the library.
    private func rows(_ file: Data, _ denominator: Int32, firstScanOnly: Bool = false) -> [UInt8]? {
        [UInt8](file).withUnsafeBufferPointer { bytes in
            var scale = JPEGScale(from: PixelSize(8, 8), to: PixelSize(8, 8), hasMeanScan: false)
            scale.denominator = Int(denominator)
            scale.usesFirstScanOnly = firstScanOnly
            let file = Span(_unsafeElements: bytes)
            guard let pixels = try? JPEGReader.pixels(of: file, scale, nil, isCancelled: { false }) else { return nil }
            return pixels.withUnsafeBytes { bytes in
                (0..<pixels.height).flatMap {
                    bytes[($0 * pixels.bytesPerRow)..<($0 * pixels.bytesPerRow + pixels.width * 4)]
                }
            }
        }
    }

    private func expectSame(_ file: Data, _ denominator: Int32) {
        let library = JPEGShim.whole(file, denominator: denominator)
        #expect(!library.isDamaged && !library.rows.isEmpty)
        // Told in one bit: on failure a test prints what it compares, which would be all pixels.
        let isSame = rows(file, denominator) == library.rows
        #expect(isSame)
    }

    @Test("units of every shape, with restarts and without", arguments: samplings.indices, denominators)
    func sampling(_ index: Int, _ denominator: Int32) {
        // A mean alone, a mean and one more, a block that is low, and one that is full.
        let blocks: [Codes] = [
            [], [(0, 20)], [(0, -3), (1, 1), (0, 2)], [(14, -1)], (1...63).map { (0, $0 % 2 == 0 ? 1 : -1) },
        ]
        // The restarts of a single component's units would be in the wrong places.
        for interval in Self.samplings[index].count > 1 ? [0, 7] : [0] {
            let jpeg = HandmadeJPEG(
                sampling: Self.samplings[index], restartInterval: interval, coefficients: { blocks[$0 % 5] },
                difference: { ($0 * 31) % 41 - 20 })
            expectSame(jpeg.data(), denominator)
        }
    }

    @Test("values that no image has, and codes that are longer than a look", arguments: denominators)
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

    @Test("baseline and progressive files as encoders write them", arguments: denominators, [false, true])
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

    @Test("images of a few pixels", arguments: [false, true])
    func tiny(isProgressive: Bool) throws {
        for width in [1, 2, 3, 4, 5, 8, 9, 16, 17, 33] {
            let file = try JPEGCoder().encode(
                DecodedImage(pixels: try Images.noise(width, 34 - width, seed: 5), metadata: ImageMetadata()),
                EncodeOptions(quality: 0.8, isProgressive: isProgressive))
            for denominator in Self.denominators { expectSame(file, denominator) }
        }
    }

    @Test("the first scan alone is the image of means")
    func firstScan() throws {
        let whole = rows(Files.progressiveJPEG, 8)
        let first = rows(Files.progressiveJPEG, 8, firstScanOnly: true)
        #expect(first?.count == whole?.count)
        let file = try Files.noisyJPEG(quality: 0.8, isProgressive: true)
        #expect(rows(file, 8, firstScanOnly: true) != nil)
        // Without the end of the image it is no whole file.
        #expect(rows(file.dropLast(2), 8, firstScanOnly: true) == nil)
    }

    @Test("what is irregular is left to the library")
    func irregular() throws {
        let baseline = try Files.noisyJPEG(quality: 0.8, isProgressive: false)
        let progressive = try Files.noisyJPEG(quality: 0.8, isProgressive: true)
        let left = [
            Files.arithmeticJPEG, Files.progressiveArithmeticJPEG, LosslessJPEG().data(),
            HandmadeJPEG(precision: 12).data(), Data(), Data([0xFF, 0xD8]), baseline.prefix(500),
            baseline.prefix(baseline.count - 200), progressive.prefix(progressive.count - 2),
            progressive.prefix(progressive.count / 2),
        ]
        for (index, file) in left.enumerated() { #expect(rows(file, 1) == nil, "\(index)") }
    }

    @Test("more scans than encoders write are left to the library")
    func manyScans() throws {
        let file = Files.progressiveJPEG
        let end = file.count - 2
        #expect(Data(file[end...]) == Data([0xFF, 0xD9]))
        // Empty scans of one coefficient, none of which is in turn.
        let scan = Data([0xFF, 0xDA, 0, 8, 1, 1, 0, 1, 1, 0])
        let bomb = file[..<end] + (0..<1000).reduce(into: Data()) { data, _ in data += scan } + file[end...]
        #expect(rows(Data(bomb), 1) == nil)
    }

    @Test("a damaged file is left to the library, or was none", arguments: [false, true])
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

    @Test("cancelling ends it")
    func cancelled() throws {
        for isProgressive in [false, true] {
            let bytes = [UInt8](try Files.noisyJPEG(quality: 0.8, isProgressive: isProgressive))
            let scale = JPEGScale(from: PixelSize(8, 8), to: PixelSize(8, 8), hasMeanScan: false)
            #expect(throws: ImageError.cancelled) {
                try bytes.withUnsafeBufferPointer { bytes in
                    _ = try JPEGReader.pixels(of: Span(_unsafeElements: bytes), scale, nil, isCancelled: { true })
                }
            }
        }
    }
}
