import EaselCodecs
import EaselCore
import EaselTesting
import Foundation
import Testing

/// A file in pieces takes another path through libjpeg than a complete file, and can be split anywhere. The pixels are
/// the same at all scales.
@Suite("JPEG: complete and in pieces")
struct JPEGPiecesTests {
    typealias Codes = [(run: Int, value: Int)]

    private static let denominators: [Int32] = [1, 2, 4, 8]
    private static let samplings: [[(across: Int, down: Int)]] = [
        [(1, 1), (1, 1), (1, 1)], [(2, 1), (1, 1), (1, 1)], [(1, 2), (1, 1), (1, 1)], [(2, 2), (1, 1), (1, 1)],
        [(4, 1), (1, 1), (1, 1)], [(2, 2), (2, 1), (1, 2)], [(1, 1), (2, 2), (1, 1)], [(2, 2), (1, 1), (1, 1), (2, 2)],
    ]

    private func expectSame(_ file: Data, _ denominator: Int32, pieces: Int = 40) {
        let whole = JPEGShim.whole(file, denominator: denominator)
        #expect(!whole.isDamaged)
        #expect(Set(whole.rows).count > 2)
        let arriving = JPEGShim.arriving(file, piece: file.count / pieces + 1, denominator: denominator)
        #expect(arriving.rows.count == whole.rows.count)
        // Compared outside the expectation, which would print all pixels on failure.
        let isSame = arriving == whole
        #expect(isSame)
    }

    @Test(
        "units of every shape, the last ones partly outside the image, have the same pixels",
        arguments: samplings.indices, denominators)
    func sampling(_ index: Int, _ denominator: Int32) {
        // Only a mean, a mean and one coefficient, and a full block.
        let blocks: [Codes] = [[], [(0, 20)], [], [(14, -1)], (1...63).map { (0, $0 % 2 == 0 ? 1 : -1) }]
        let jpeg = HandmadeJPEG(
            sampling: Self.samplings[index], coefficients: { blocks[$0 % 5] }, difference: { ($0 * 31) % 41 - 20 })
        expectSame(jpeg.data(), denominator)
    }

    @Test("means start over after a restart marker", arguments: denominators, [1, 5, 65])
    func restarts(_ denominator: Int32, _ interval: Int) {
        for sampling in [[(1, 1)], Self.samplings[3]] {
            let jpeg = HandmadeJPEG(
                sampling: sampling, restartInterval: interval, coefficients: { $0 % 3 == 0 ? [(0, 20)] : [] },
                difference: { ($0 * 31) % 41 - 20 })
            expectSame(jpeg.data(), denominator)
        }
    }

    @Test(
        "means brighter than white and darker than black, up to extreme values, have the same pixels",
        arguments: denominators)
    func extremes(_ denominator: Int32) {
        let steps = [1000, 22, 1, 1, 2000, 2000, -2047, -2047, -2047, -2, -1, 120, -130, 2047, 103]
        let jpeg = HandmadeJPEG(sampling: Self.samplings[0], difference: { steps[$0 / 3 % steps.count] })
        expectSame(jpeg.data(), denominator)
    }

    @Test("blocks with long codes, large values or all coefficients have the same pixels", arguments: denominators)
    func longCodes(_ denominator: Int32) {
        let full: Codes = (1...63).map { (0, ($0 * 7).isMultiple(of: 2) ? 1 : -1) }
        let blocks: [Codes] = [
            [(0, 511), (0, -1023), (0, 3), (1, -1)], [(15, 0), (15, 0), (15, 0), (14, -1)],
            [(15, 1), (15, -1), (15, 1)], [(0, 1), (15, 0), (15, 0), (14, 1), (0, 17)], [(0, -31), (0, 2), (0, -2)],
            full,
        ]
        let jpeg = HandmadeJPEG(coefficients: { blocks[$0 % 6] }, difference: { [300, -300, 0, 70, -70][$0 % 5] })
        expectSame(jpeg.data(), denominator)
    }

    @Test("encoded baseline and progressive files have the same pixels", arguments: denominators, [false, true])
    func encoded(_ denominator: Int32, isProgressive: Bool) throws {
        for quality in [0.3, 0.8, 1] {
            expectSame(try Files.noisyJPEG(quality: quality, isProgressive: isProgressive), denominator)
        }
    }

    @Test("a file that arrives byte by byte has the same pixels", arguments: [false, true])
    func bytes(isProgressive: Bool) throws {
        let file =
            try isProgressive ? Files.progressiveJPEG : Files.jpeg(Images.gradient(50, 41))
        expectSame(file, 1, pieces: file.count)
    }

    @Test("a file with a repeated scan has the same pixels")
    func twice() throws {
        let file = try Files.noisyJPEG(quality: 0.8, isProgressive: true)
        let markers = file.indices.dropLast().filter { file[$0] == 0xFF && [0xC4, 0xDA, 0xD9].contains(file[$0 + 1]) }
        // Repeats the second scan with the tables before it.
        let scans = markers.filter { file[$0 + 1] == 0xDA }
        let start = try #require(markers.last { $0 < scans[1] && file[$0 + 1] == 0xC4 })
        let end = try #require(markers.first { $0 > scans[1] })
        let repeated = Data(file[..<end] + file[start..<end] + file[end...])
        expectSame(repeated, 1)
        #expect(JPEGShim.whole(repeated) == JPEGShim.whole(file))
    }
}
