import EaselCore
import EaselTesting
import Testing

@testable import easel

@Suite("Sixel")
struct SixelTests {
    @Test("an image with few colours is exact")
    func fewColors() throws {
        let pixels = try PixelBuffer.rows([[.pureRed, .pureGreen], [.pureBlue, .pureRed]])
        let reader = try #require(SixelReader(Sixel.encode(pixels)))
        #expect(reader.rows == [[[100, 0, 0], [0, 100, 0]], [[0, 0, 100], [100, 0, 0]]])
    }

    @Test("transparent pixels are not drawn")
    func transparentPixels() throws {
        let pixels = try PixelBuffer.rows([[.clear, .pureRed], [.pureRed, .clear]])
        let reader = try #require(SixelReader(Sixel.encode(pixels)))
        #expect(reader.rows == [[nil, [100, 0, 0]], [[100, 0, 0], nil]])
    }

    @Test("a fully transparent image draws nothing")
    func transparentImage() throws {
        let reader = try #require(SixelReader(Sixel.encode(try PixelBuffer.rows([[.clear, .clear]]))))
        #expect(reader.rows == [[nil, nil]])
    }

    @Test("repeated sixels are encoded as runs")
    func runs() throws {
        let text = Sixel.encode(try TestImage.solid(.pureRed, 500, 6).pixels())
        #expect(text.contains("!500~"))
        let reader = try #require(SixelReader(text))
        #expect(reader.rows.joined().allSatisfy { $0 == [100, 0, 0] })
    }

    @Test("every row is drawn, for every height", arguments: [1, 5, 6, 7, 12, 13])
    func heights(height: Int) throws {
        let reader = try #require(SixelReader(Sixel.encode(try TestImage.solid(.pureBlue, 3, height).pixels())))
        #expect(reader.rows.count == height)
        #expect(reader.rows.joined().allSatisfy { $0 == [0, 0, 100] })
    }

    @Test("the size is sent in advance")
    func announcedSize() throws {
        #expect(Sixel.encode(try TestImage.gradient(31, 17).pixels()).contains("\"1;1;31;17"))
    }

    @Test("dithering preserves the mean colour")
    func dithering() throws {
        let image = TestImage.gradient(64, 64)
        let reader = try #require(SixelReader(Sixel.encode(try image.pixels())))
        for (top, left) in [(0, 0), (0, 48), (24, 24), (48, 0), (48, 48)] {
            let actual = mean(top: top, left: left) { y, x in reader.rows[y][x] ?? [] }
            let expected = mean(top: top, left: left) { y, x in
                [image[x, y].red, image[x, y].green, image[x, y].blue].map { Int($0) * 100 / 255 }
            }
            for (actual, expected) in zip(actual, expected) { #expect(abs(actual - expected) < 3) }
        }
    }

    /// Returns the mean over a square of 16 pixels, in which dithering evens out.
    private func mean(top: Int, left: Int, _ color: (Int, Int) -> [Int]) -> [Double] {
        (0..<3).map { component in
            var sum = 0
            for y in top..<(top + 16) { for x in left..<(left + 16) { sum += color(y, x)[component] } }
            return Double(sum) / 256
        }
    }
}
