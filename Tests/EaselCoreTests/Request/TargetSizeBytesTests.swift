import EaselTesting
import Testing

@testable import EaselCore

@Suite("Target size: a number of bytes, and points")
struct TargetSizeBytesTests {
    @Test("both sides are rounded down (X157)")
    func roundedDown() {
        #expect(TargetSize.scaledDown(bytes: 400).size(for: PixelSize(20, 20)) == PixelSize(10, 10))
        #expect(TargetSize.scaledDown(bytes: 399).size(for: PixelSize(20, 20)) == PixelSize(9, 9))
        #expect(TargetSize.scaledDown(bytes: 800).size(for: PixelSize(40, 20)) == PixelSize(20, 10))
    }

    @Test("what fits already stays as it is (B94)")
    func fits() {
        #expect(TargetSize.scaledDown(bytes: 1_600).size(for: PixelSize(20, 20)) == PixelSize(20, 20))
    }

    @Test("at least one pixel is left, however few bytes are allowed (X157)", arguments: [4, 3, 0, -1, Int.min])
    func onePixel(bytes: Int) {
        #expect(TargetSize.scaledDown(bytes: bytes).size(for: PixelSize(20, 20)) == PixelSize(1, 1))
        #expect(TargetSize.scaledDown(bytes: bytes).size(for: PixelSize(1_000_000, 1)) == PixelSize(1, 1))
    }

    @Test("the bytes are never exceeded, neither by extreme proportions nor by rounding")
    func neverOver() {
        #expect(TargetSize.scaledDown(bytes: 4_000).size(for: PixelSize(1_000_000_000, 1)) == PixelSize(1_000, 1))
        #expect(TargetSize.scaledDown(bytes: 4_000).size(for: PixelSize(1, 1_000_000_000)) == PixelSize(1, 1_000))
        var random = SeededGenerator(seed: 157)
        for _ in 0..<3_000 {
            let picture = PixelSize(.random(in: 1...100_000, using: &random), .random(in: 1...100_000, using: &random))
            let bytes = Int.random(in: 4...1_000_000, using: &random)
            let size = TargetSize.scaledDown(bytes: bytes).size(for: picture)
            #expect((size.area ?? .max) <= bytes / 4)
            #expect(size.width >= 1 && size.height >= 1)
            #expect(size.width <= picture.width && size.height <= picture.height)
        }
    }

    @Test("points are rounded up to whole pixels")
    func points() {
        #expect(TargetSize.points(width: 10.1, height: 20, scale: 2) == .pixels(width: 21, height: 40))
        #expect(
            TargetSize.points(width: 100, height: 75, scale: 3, mode: .fill)
                == .pixels(width: 300, height: 225, mode: .fill))
    }

    @Test("points that are no number, negative or endless do not crash")
    func oddPoints() {
        #expect(TargetSize.points(width: .nan, height: 1, scale: 1) == .pixels(width: 0, height: 1))
        #expect(TargetSize.points(width: -5, height: .infinity, scale: 1) == .pixels(width: 0, height: 0))
        #expect(TargetSize.points(width: 1e300, height: 1, scale: 1) == .pixels(width: 1_000_000, height: 1))
    }
}
