import EaselCore
import Testing

@testable import EaselCodecs

@Suite("JPEG: scale of decoding")
struct JPEGScaleTests {
    private let photo = PixelSize(4000, 3000)

    @Test(
        "the smallest scale of at least 1.5 times the target is used",
        arguments: [
            (PixelSize(4000, 3000), 1), (PixelSize(2000, 1500), 1), (PixelSize(1333, 1000), 2),
            (PixelSize(800, 600), 2),
            (PixelSize(666, 500), 4), (PixelSize(300, 225), 8), (PixelSize(1, 1), 8),
        ])
    func scale(target: PixelSize, denominator: Int) {
        let scale = JPEGScale(from: photo, to: target, hasMeanScan: false)
        #expect(scale.denominator == denominator)
        #expect(!scale.usesFirstScanOnly)
    }

    @Test("the scale depends on the side that shrinks less")
    func narrowSide() {
        #expect(JPEGScale(from: photo, to: PixelSize(10, 3000), hasMeanScan: true).denominator == 1)
    }

    @Test(
        "the first scan suffices up to an eighth",
        arguments: [
            (PixelSize(500, 375), true), (PixelSize(501, 375), false), (PixelSize(20, 20), true),
        ])
    func firstScan(target: PixelSize, isEnough: Bool) {
        #expect(JPEGScale(from: photo, to: target, hasMeanScan: true).usesFirstScanOnly == isEnough)
    }
}
