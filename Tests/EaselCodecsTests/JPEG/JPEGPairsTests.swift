import EaselCodecs
import EaselCore
import EaselTesting
import Foundation
import Testing

/// Several codes are decoded at a look, and passed over where a block's mean is all that is needed: what comes out is what
/// libjpeg makes of them, one by one.
@Suite("JPEG: several codes at a look")
struct JPEGPairsTests {
    private static let scales: [Int32] = [1, 2, 4, 8]
    private static let files = [file(), file(restartInterval: 11)]
    /// One of whose blocks, from the sixty-first place on, goes on with sixteen zeros, a coefficient behind fourteen, and both
    /// behind another coefficient.
    private static let filesBeyond = [
        [(15, 0)], [(14, 1)], [(0, -1), (15, 0)], [(0, -1), (14, 1)], [(1, 1), (1, -1)],
    ]
    .map { file(block: [(run: Int, value: Int)](repeating: (0, 1), count: 60) + $0) }

    /// Blocks of all kinds of codes, of two bits to sixteen, that end anywhere, also at their last place.
    private static func blocks(seed: UInt64) -> [[(run: Int, value: Int)]] {
        var random = SeededGenerator(seed: seed)
        let kinds = [
            (0, 1), (0, -1), (0, 1), (0, -1), (0, 1), (1, 1), (1, -1), (0, 17), (0, -31), (14, 1), (15, 0), (0, 2),
            (0, 300), (15, -1), (0, -1023),
        ]
        return (0..<97).map { index in
            // Every few blocks a full one, of short codes and of any.
            let most = index % 16 == 0 ? 63 : Int.random(in: 0...8, using: &random)
            let choice = index % 2 == 0 ? 0..<5 : kinds.indices
            var codes: [(run: Int, value: Int)] = []
            var place = 1
            while place < 64, codes.count < most {
                let (run, value) = kinds[Int.random(in: choice, using: &random)]
                guard place + run < 64 else { continue }
                codes.append((run, value))
                place += run + 1
            }
            return codes
        }
    }

    private static func file(restartInterval: Int = 0, block other: [(run: Int, value: Int)]? = nil) -> Data {
        let blocks = Self.blocks(seed: 7)
        return HandmadeJPEG(
            restartInterval: restartInterval,
            coefficients: { block in
                if block == 2000, let other { return other }
                return blocks[block % blocks.count]
            },
            difference: { [0, 3, -3, 40, -40][$0 % 5] }
        ).data()
    }

    private func expectSame(_ file: Data, _ scale: Int32, isDamaged: Bool? = nil) {
        let (alone, _) = JPEGTakeover.decode(file, isAlone: true, denominator: scale)
        let (ours, hasTakenOver) = JPEGTakeover.decode(file, isAlone: false, denominator: scale)
        #expect(hasTakenOver || alone.rows.isEmpty)
        #expect(ours == alone)
        if let isDamaged { #expect(alone.isDamaged == isDamaged) }
    }

    @Test("blocks of all kinds, with and without restart markers", arguments: scales)
    func whole(_ scale: Int32) {
        for file in Self.files { expectSame(file, scale, isDamaged: false) }
    }

    @Test("the standard's own codes, of which all is made once", arguments: scales, [0.5, 0.95])
    func standard(_ scale: Int32, _ quality: Double) throws {
        var random = SeededGenerator(seed: 5)
        let pixels = try PixelBuffer(size: PixelSize(640, 480), isOpaque: true) { bytes, bytesPerRow in
            for y in 0..<480 {
                for x in 0..<640 {
                    for channel in 0..<3 {
                        let noise = Int.random(in: 0..<24, using: &random)
                        bytes[y * bytesPerRow + x * 4 + channel] = UInt8((x / 4 + y * channel / 6 + noise) & 255)
                    }
                    bytes[y * bytesPerRow + x * 4 + 3] = 255
                }
            }
        }
        let image = DecodedImage(pixels: pixels, metadata: ImageMetadata())
        expectSame(try JPEGCoder().encode(image, EncodeOptions(quality: quality)), scale, isDamaged: false)
    }

    @Test("a run that leads beyond the block in the middle of a look", arguments: scales)
    func beyond(_ scale: Int32) {
        for file in Self.filesBeyond { expectSame(file, scale) }
    }

    @Test("files that are cut off, and that are changed anywhere", arguments: scales)
    func damaged(_ scale: Int32) {
        for file in Self.files {
            for damaged in DamagedFiles.cut(file, places: 4) + DamagedFiles.changed(file, count: 6) {
                expectSame(damaged, scale)
            }
        }
    }
}
