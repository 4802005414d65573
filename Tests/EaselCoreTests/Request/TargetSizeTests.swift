import EaselTesting
import Testing

@testable import EaselCore

@Suite("Target size")
struct TargetSizeTests {
    @Test(
        "fit and fill match one side exactly and round the other up (X156, B95, X027)",
        arguments: [
            Row(5250, 3450, box: (400, 300), fit: (400, 263), fill: (457, 300)),
            Row(3450, 5250, box: (300, 400), fit: (263, 400), fill: (300, 457)),
            Row(1_000, 500, box: (100, 100), fit: (100, 50), fill: (200, 100)),
            Row(500, 1_000, box: (100, 100), fit: (50, 100), fill: (100, 200)),
            Row(1_000, 1_000, box: (100, 50), fit: (50, 50), fill: (100, 100)),
            Row(1_000, 1_000, box: (50, 100), fit: (50, 50), fill: (100, 100)),
            Row(400, 300, box: (200, 150), fit: (200, 150), fill: (200, 150)),
            Row(101, 100, box: (50, 50), fit: (50, 50), fill: (51, 50)),
            Row(3, 2, box: (2, 2), fit: (2, 2), fill: (3, 2)),
            Row(10, 10, box: (1, 1), fit: (1, 1), fill: (1, 1)),
        ])
    func table(row: Row) {
        #expect(TargetSize.pixels(row.box, mode: .aspectFit).size(for: row.image) == row.fit)
        #expect(TargetSize.pixels(row.box, mode: .aspectFill).size(for: row.image) == row.fill)
    }

    @Test("fill without aspect ratio returns the box")
    func fill() {
        #expect(
            TargetSize.pixels(width: 40, height: 300, mode: .fill).size(for: PixelSize(500, 400)) == PixelSize(40, 300))
    }

    @Test(
        "no mode scales up (B94)", arguments: TargetSize.ContentMode.allCases,
        [PixelSize(100, 50), PixelSize(50, 100), PixelSize(80, 80), PixelSize(1, 1)])
    func neverUp(mode: TargetSize.ContentMode, image: PixelSize) {
        for box in [
            PixelSize(100, 100), PixelSize(101, 99), PixelSize(1_000, 1), PixelSize(1, 1_000), PixelSize(.max, .max),
        ] {
            let size = TargetSize.pixels(box, mode: mode).size(for: image)
            #expect(size.width <= image.width && size.height <= image.height, "\(box)")
            #expect(size.width >= 1 && size.height >= 1, "\(box)")
        }
    }

    @Test("an aspect fill that would enlarge a side keeps the size of the image")
    func fillWithoutGrowing() {
        #expect(
            TargetSize.pixels(width: 80, height: 80, mode: .aspectFill).size(for: PixelSize(100, 50))
                == PixelSize(100, 50))
    }

    @Test("a side has at least one pixel (B94)")
    func extremeRatios() {
        let line = PixelSize(100_000, 1)
        #expect(TargetSize.pixels(width: 10, height: 10).size(for: line) == PixelSize(10, 1))
        #expect(TargetSize.pixels(width: 10, height: 10).size(for: line.transposed) == PixelSize(1, 10))
        #expect(TargetSize.pixels(width: 10, height: 10, mode: .fill).size(for: line) == PixelSize(10, 1))
    }

    @Test("huge sizes do not overflow")
    func hugeSizes() {
        let huge = [PixelSize(.max, .max), PixelSize(.max, 1), PixelSize(1, .max), PixelSize(.max, .max - 1)]
        for image in huge {
            for mode in TargetSize.ContentMode.allCases {
                for box in [PixelSize(100, 100), PixelSize(.max - 1, .max), PixelSize(1, .max), PixelSize(.max, .max)] {
                    let size = TargetSize.pixels(box, mode: mode).size(for: image)
                    #expect(size.width >= 1 && size.width <= image.width)
                    #expect(size.height >= 1 && size.height <= image.height)
                }
            }
            let scaled = TargetSize.scaledDown(bytes: 60 << 20).size(for: image)
            #expect((scaled.area ?? .max) <= 15 << 20)
        }
        #expect(TargetSize.pixels(width: 100, height: 100).size(for: PixelSize(.max, .max)) == PixelSize(100, 100))
    }

    @Test("a box with a side of zero or less is the original size (X156)", arguments: TargetSize.ContentMode.allCases)
    func emptyBox(mode: TargetSize.ContentMode) {
        let image = PixelSize(500, 400)
        for box in [PixelSize(0, 100), PixelSize(100, 0), PixelSize(-1, 100), PixelSize(.min, .min)] {
            #expect(TargetSize.pixels(box, mode: mode).size(for: image) == image)
        }
        #expect(TargetSize.original.size(for: image) == image)
    }

    @Test("fit and fill match random boxes: one side exactly, the other within the mode")
    func random() {
        var random = SeededGenerator(seed: 156)
        for _ in 0..<3_000 {
            let image = PixelSize(.random(in: 1...5_000, using: &random), .random(in: 1...5_000, using: &random))
            let box = PixelSize(.random(in: 1...5_000, using: &random), .random(in: 1...5_000, using: &random))
            let fit = TargetSize.pixels(box, mode: .aspectFit).size(for: image)
            if image.width <= box.width, image.height <= box.height {
                #expect(fit == image)
            } else {
                #expect(fit.width <= box.width && fit.height <= box.height)
                #expect(fit.width == box.width || fit.height == box.height)
            }
            let fill = TargetSize.pixels(box, mode: .aspectFill).size(for: image)
            if image.width >= box.width, image.height >= box.height {
                #expect(fill.width >= box.width && fill.height >= box.height)
                #expect(fill.width == box.width || fill.height == box.height)
            } else {
                #expect(fill == image)
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let image: PixelSize
        let box: PixelSize
        let fit: PixelSize
        let fill: PixelSize

        var testDescription: String { "\(image) in \(box)" }

        init(_ width: Int, _ height: Int, box: (Int, Int), fit: (Int, Int), fill: (Int, Int)) {
            image = PixelSize(width, height)
            self.box = PixelSize(box.0, box.1)
            self.fit = PixelSize(fit.0, fit.1)
            self.fill = PixelSize(fill.0, fill.1)
        }
    }
}

@Suite("Target size: bytes and points")
struct TargetSizeBytesTests {
    @Test("both sides are rounded down (X157)")
    func roundedDown() {
        #expect(TargetSize.scaledDown(bytes: 400).size(for: PixelSize(20, 20)) == PixelSize(10, 10))
        #expect(TargetSize.scaledDown(bytes: 399).size(for: PixelSize(20, 20)) == PixelSize(9, 9))
        #expect(TargetSize.scaledDown(bytes: 800).size(for: PixelSize(40, 20)) == PixelSize(20, 10))
    }

    @Test("an image within the limit keeps its size (B94)")
    func fits() {
        #expect(TargetSize.scaledDown(bytes: 1_600).size(for: PixelSize(20, 20)) == PixelSize(20, 20))
    }

    @Test("at least one pixel remains, whatever the limit of bytes (X157)", arguments: [4, 3, 0, -1, Int.min])
    func onePixel(bytes: Int) {
        #expect(TargetSize.scaledDown(bytes: bytes).size(for: PixelSize(20, 20)) == PixelSize(1, 1))
        #expect(TargetSize.scaledDown(bytes: bytes).size(for: PixelSize(1_000_000, 1)) == PixelSize(1, 1))
    }

    @Test("the limit of bytes is never exceeded, with extreme aspect ratios or by rounding")
    func neverOver() {
        #expect(TargetSize.scaledDown(bytes: 4_000).size(for: PixelSize(1_000_000_000, 1)) == PixelSize(1_000, 1))
        #expect(TargetSize.scaledDown(bytes: 4_000).size(for: PixelSize(1, 1_000_000_000)) == PixelSize(1, 1_000))
        var random = SeededGenerator(seed: 157)
        for _ in 0..<3_000 {
            let image = PixelSize(.random(in: 1...100_000, using: &random), .random(in: 1...100_000, using: &random))
            let bytes = Int.random(in: 4...1_000_000, using: &random)
            let size = TargetSize.scaledDown(bytes: bytes).size(for: image)
            #expect((size.area ?? .max) <= bytes / 4)
            #expect(size.width >= 1 && size.height >= 1)
            #expect(size.width <= image.width && size.height <= image.height)
        }
    }

    @Test("points are rounded up to whole pixels")
    func points() {
        #expect(TargetSize.points(width: 10.1, height: 20, scale: 2) == .pixels(width: 21, height: 40))
        #expect(
            TargetSize.points(width: 100, height: 75, scale: 3, mode: .fill)
                == .pixels(width: 300, height: 225, mode: .fill))
    }

    @Test("points that are NaN, negative or infinite do not crash")
    func oddPoints() {
        #expect(TargetSize.points(width: .nan, height: 1, scale: 1) == .pixels(width: 0, height: 1))
        #expect(TargetSize.points(width: -5, height: .infinity, scale: 1) == .pixels(width: 0, height: 0))
        #expect(TargetSize.points(width: 1e300, height: 1, scale: 1) == .pixels(width: 1_000_000, height: 1))
    }
}
