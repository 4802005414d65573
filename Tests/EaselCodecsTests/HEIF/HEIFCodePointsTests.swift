#if HEIF
import EaselCore
import Foundation
import Testing

@testable import EaselCodecs

@Suite("HEIF: unknown code points")
struct HEIFCodePointsTests {
    private func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        let count = UInt8(8 + content.count)
        return [0, 0, 0, count] + Array(kind.utf8) + content
    }

    /// Returns the boxes of a file with one color box.
    private func file(_ colors: [UInt8]) -> [UInt8] {
        box("ftyp", Array("heic".utf8)) + box("meta", [0, 0, 0, 0] + box("iprp", box("ipco", box("colr", colors))))
    }

    private func points(_ primaries: UInt8, _ transfer: UInt8, _ matrix: UInt8) -> [UInt8] {
        Array("nclx".utf8) + [0, primaries, 0, transfer, 0, matrix, 128]
    }

    private func hasUnknown(_ file: [UInt8]) -> Bool { file.span.hasUnknownCodePoints }

    @Test(
        "code points of H.273 are known",
        arguments: [[1, 13, 6], [9, 16, 9], [12, 13, 0], [2, 2, 2], [22, 18, 14]] as [[UInt8]])
    func known(_ numbers: [UInt8]) {
        #expect(!hasUnknown(file(points(numbers[0], numbers[1], numbers[2]))))
    }

    private static let reserved: [[UInt8]] = [
        [3, 13, 6], [13, 13, 6], [255, 13, 6], [1, 0, 6], [1, 3, 6], [1, 19, 6], [1, 13, 3], [1, 13, 15],
    ]

    @Test("reserved and undefined code points are unknown", arguments: reserved)
    func unknown(_ numbers: [UInt8]) {
        #expect(hasUnknown(file(points(numbers[0], numbers[1], numbers[2]))))
    }

    @Test("truncated code points are unknown")
    func cut() {
        #expect(hasUnknown(file(Array(points(1, 13, 6).prefix(9)))))
    }

    @Test("a second `meta` box is checked too, because libheif reads the last one")
    func second() {
        #expect(hasUnknown(file(points(1, 13, 6)) + file(points(3, 13, 6))))
    }

    @Test("a profile has no code points")
    func profile() {
        #expect(!hasUnknown(file(Array("prof".utf8) + [3, 3, 3, 3, 3, 3])))
    }
}
#endif
