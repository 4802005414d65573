import EaselCodecs
import EaselCore
import Foundation
import Testing

/// Files of several components are drawn in libjpeg's place too: the pixels are those of libjpeg alone, at all scales.
@Suite("JPEG: drawing in libjpeg's place")
struct JPEGDrawingTests {
    private static let denominators: [Int32] = [1, 2, 4, 8]
    private static let samplings: [[(across: Int, down: Int)]] = [
        [(1, 1), (1, 1), (1, 1)], [(2, 1), (1, 1), (1, 1)], [(1, 2), (1, 1), (1, 1)], [(2, 2), (1, 1), (1, 1)],
        [(4, 1), (1, 1), (1, 1)], [(2, 2), (2, 1), (1, 2)], [(1, 1), (2, 2), (1, 1)], [(2, 2), (1, 1), (1, 1), (2, 2)],
    ]

    private func expectSame(_ jpeg: HandmadeJPEG, _ denominator: Int32) {
        let file = jpeg.data()
        let (alone, _) = JPEGTakeover.decode(file, isAlone: true, denominator: denominator)
        let (ours, hasTakenOver) = JPEGTakeover.decode(file, isAlone: false, denominator: denominator)
        #expect(hasTakenOver && !alone.isDamaged)
        #expect(ours == alone)
        #expect(Set(alone.rows).count > 3)
    }

    @Test(
        "units of every shape, of which the last are partly beyond the picture",
        arguments: samplings.indices, denominators)
    func sampling(_ index: Int, _ denominator: Int32) {
        // A mean alone, a mean and one more, and a block that is full.
        let blocks: [[(run: Int, value: Int)]] = [
            [], [(0, 9)], [], [(14, -1)], (1...63).map { (0, $0 % 2 == 0 ? 1 : -1) },
        ]
        expectSame(
            HandmadeJPEG(
                sampling: Self.samplings[index], coefficients: { blocks[$0 % 5] },
                difference: { ($0 * 31) % 41 - 20 }), denominator)
    }

    @Test("after a restart marker the means begin anew", arguments: denominators)
    func restarts(_ denominator: Int32) {
        expectSame(
            HandmadeJPEG(
                sampling: Self.samplings[3], restartInterval: 5, coefficients: { $0 % 3 == 0 ? [(0, 20)] : [] },
                difference: { ($0 * 31) % 41 - 20 }), denominator)
    }

    @Test("means that are brighter than white and darker than black, up to beyond all measure", arguments: denominators)
    func extremes(_ denominator: Int32) {
        // Times four, they go up to where the transforms disagree, and on; and down again.
        let steps = [1000, 22, 1, 1, 2000, 2000, -2047, -2047, -2047, -2, -1, 120, -130, 2047, 103]
        expectSame(
            HandmadeJPEG(sampling: Self.samplings[0], difference: { steps[$0 / 3 % steps.count] }), denominator)
    }
}
