import EaselCodecs
import EaselCore
import Foundation
import Synchronization
import Testing

/// The codes of a whole file are decoded by our own code, those of an arriving one by libjpeg: the pixels are the same.
@Suite("JPEG: entropy decoding")
struct JPEGEntropyTests {
    private let coder = JPEGCoder()
    /// Decoded whole, at a half, and at an eighth, where of a gray picture only the means are used.
    private static let sides = [HandmadeJPEG.side, HandmadeJPEG.side / 2, 20]

    private func expectSame(_ jpeg: HandmadeJPEG, _ side: Int) throws {
        let file = jpeg.data()
        let options = DecodeOptions(targetSize: .pixels(width: side, height: side))
        let ours = try coder.decode(file, options).pixels
        let decoder = coder.makeIncrementalDecoder(options)
        try decoder.append(file)
        let theirs = try #require(try decoder.preview()).image.pixels
        #expect(ours.hasSamePixels(as: theirs))
        #expect(Set((0..<side).map { ours[$0, $0].red }).count > 1)
    }

    @Test("a block that is full has no end, whatever follows it looks like", arguments: sides)
    func fullBlocks(_ side: Int) throws {
        // The next block's mean begins with the bits of an end. The rows go up in brightness and down again.
        try expectSame(
            HandmadeJPEG(
                coefficients: { block in
                    block % 3 == 0 ? [] : (1...63).map { (0, ($0 * 7 + block).isMultiple(of: 2) ? 1 : -1) }
                },
                difference: { $0 % 2 == 0 ? 0 : $0 / HandmadeJPEG.blocks % 2 == 0 ? 9 : -9 }), side)
    }

    @Test("long codes, large values and runs of zeros up to the last place", arguments: sides)
    func longCodes(_ side: Int) throws {
        let blocks: [[(run: Int, value: Int)]] = [
            [(0, 511), (0, -1023), (0, 3), (1, -1)], [(15, 0), (15, 0), (15, 0), (14, -1)],
            [(15, 1), (15, -1), (15, 1)],
            [(0, 1), (15, 0), (15, 0), (14, 1), (0, 17)], [(0, -31), (0, 2), (0, -2)],
        ]
        try expectSame(
            HandmadeJPEG(coefficients: { blocks[$0 % 5] }, difference: { [300, -300, 0, 70, -70][$0 % 5] }), side)
    }

    @Test("after a restart marker the means begin anew", arguments: [1, 7, 65], sides)
    func restarts(_ interval: Int, _ side: Int) throws {
        try expectSame(
            HandmadeJPEG(
                restartInterval: interval, coefficients: { $0 % 5 == 0 ? [(0, 20)] : [] },
                difference: { ($0 * 31) % 41 - 20 }), side)
    }

    @Test("a file that is cut off gives its rows, and gray below them", arguments: [0, 9])
    func cutOff(_ interval: Int) throws {
        let file = HandmadeJPEG(
            restartInterval: interval, coefficients: { [(0, $0 % 2 == 0 ? 30 : -30)] }, difference: { $0 % 9 - 4 }
        ).data()
        let whole = try coder.decode(file, DecodeOptions()).pixels
        let cut = file.prefix(file.count / 2)
        #expect(throws: ImageError.self) { try coder.decode(cut, DecodeOptions()) }
        let image = try coder.decode(cut, DecodeOptions(allowsPartial: true))
        #expect(image.metadata.isPartial)
        let side = HandmadeJPEG.side
        // All blocks take about as many bytes.
        let there = [0, side / 4, side * 2 / 5].flatMap { y in (0..<side).map { image.pixels[$0, y] == whole[$0, y] } }
        #expect(!there.contains(false))
        #expect(Set((0..<side).map { image.pixels[$0, side - 1].red }).count == 1)
    }

    @Test("a decode that has to begin anew is cancelled too")
    func cancelledAnew() throws {
        let file = HandmadeJPEG(coefficients: { [(0, $0 % 2 == 0 ? 30 : -30)] }).data()
        let asked = Mutex(0)
        var options = DecodeOptions(allowsPartial: true)
        // Between every 32 of 520 rows, which are all there but the last: the second time through.
        options.isCancelled = {
            asked.withLock {
                $0 += 1
                return $0 > 24
            }
        }
        #expect(throws: ImageError.cancelled) { try coder.decode(file.dropLast(300), options) }
    }
}
