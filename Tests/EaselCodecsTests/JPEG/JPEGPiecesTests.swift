import EaselCodecs
import EaselCore
import EaselTesting
import Foundation
import Testing

/// A file that arrives in pieces is decoded with breaks anywhere, by another path through libjpeg than one that is there whole: the
/// pixels are the same, at all scales.
@Suite("JPEG: whole and in pieces")
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
        // Told in one bit: on failure a test prints what it compares, which would be all pixels.
        let isSame = arriving == whole
        #expect(isSame)
    }

    @Test(
        "units of every shape, of which the last are partly beyond the image",
        arguments: samplings.indices, denominators)
    func sampling(_ index: Int, _ denominator: Int32) {
        // A mean alone, a mean and one more, and a block that is full.
        let blocks: [Codes] = [[], [(0, 20)], [], [(14, -1)], (1...63).map { (0, $0 % 2 == 0 ? 1 : -1) }]
        let jpeg = HandmadeJPEG(
            sampling: Self.samplings[index], coefficients: { blocks[$0 % 5] }, difference: { ($0 * 31) % 41 - 20 })
        expectSame(jpeg.data(), denominator)
    }

    @Test("after a restart marker the means begin anew", arguments: denominators, [1, 5, 65])
    func restarts(_ denominator: Int32, _ interval: Int) {
        for sampling in [[(1, 1)], Self.samplings[3]] {
            let jpeg = HandmadeJPEG(
                sampling: sampling, restartInterval: interval, coefficients: { $0 % 3 == 0 ? [(0, 20)] : [] },
                difference: { ($0 * 31) % 41 - 20 })
            expectSame(jpeg.data(), denominator)
        }
    }

    @Test("means that are brighter than white and darker than black, up to beyond all measure", arguments: denominators)
    func extremes(_ denominator: Int32) {
        let steps = [1000, 22, 1, 1, 2000, 2000, -2047, -2047, -2047, -2, -1, 120, -130, 2047, 103]
        let jpeg = HandmadeJPEG(sampling: Self.samplings[0], difference: { steps[$0 / 3 % steps.count] })
        expectSame(jpeg.data(), denominator)
    }

    @Test("blocks of long codes, of large values, and that are full", arguments: denominators)
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

    @Test("baseline and progressive files as encoders write them", arguments: denominators, [false, true])
    func encoded(_ denominator: Int32, isProgressive: Bool) throws {
        for quality in [0.3, 0.8, 1] {
            expectSame(try Files.noisyJPEG(quality: quality, isProgressive: isProgressive), denominator)
        }
    }

    @Test("a byte at a time", arguments: [false, true])
    func bytes(isProgressive: Bool) throws {
        let file =
            try isProgressive ? Files.progressiveJPEG : Files.jpeg(Images.gradient(50, 41))
        expectSame(file, 1, pieces: file.count)
    }

    @Test("a file whose scans tell the same bits twice")
    func twice() throws {
        let file = try Files.noisyJPEG(quality: 0.8, isProgressive: true)
        let markers = file.indices.dropLast().filter { file[$0] == 0xFF && [0xC4, 0xDA, 0xD9].contains(file[$0 + 1]) }
        // The second scan, with the tables before it, once more.
        let scans = markers.filter { file[$0 + 1] == 0xDA }
        let start = try #require(markers.last { $0 < scans[1] && file[$0 + 1] == 0xC4 })
        let end = try #require(markers.first { $0 > scans[1] })
        let repeated = Data(file[..<end] + file[start..<end] + file[end...])
        expectSame(repeated, 1)
        #expect(JPEGShim.whole(repeated) == JPEGShim.whole(file))
    }
}
