import EaselTesting
import Testing

@testable import EaselCore

@Suite("Reading colours (X184)")
struct PixelColorsTests {
    @Test("a colour is returned without premultiplication, or nil outside")
    func color() throws {
        let color = ImageColor(red: 200, green: 100, blue: 50, alpha: 128)
        let image = try TransformFixture.image(2, 2, isOpaque: false) { x, y in x == 1 && y == 0 ? color : .clear }
        let read = try #require(image.pixels.color(x: 1, y: 0))
        #expect(abs(Int(read.red) - 200) <= 1 && abs(Int(read.green) - 100) <= 1 && read.alpha == 128)
        #expect(read.pixel == color.pixel)
        #expect(image.pixels.color(x: 0, y: 0) == .clear)
        for (x, y) in [(-1, 0), (0, -1), (2, 0), (0, 2), (.max, .min)] {
            #expect(image.pixels.color(x: x, y: y) == nil)
        }
    }

    @Test("premultiplying a read colour returns the original pixel")
    func roundTrip() {
        var wrong: [Pixel] = []
        for alpha: UInt8 in 0...255 {
            for level in 0...alpha {
                let pixel = Pixel(blue: level, green: alpha - level, red: level / 2, alpha: alpha)
                if ImageColor(pixel).pixel != pixel { wrong.append(pixel) }
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test("the colours of a rectangle are returned row by row, or nil (X184)")
    func rectangle() throws {
        let pixels = try TransformFixture.noise(5, 4).pixels
        let colors = try #require(pixels.colors(x: 1, y: 2, width: 3, height: 2))
        #expect(colors.count == 6 && colors[4] == pixels.color(x: 2, y: 3))
        for (x, y, width, height) in [(0, 0, 6, 1), (-1, 0, 2, 2), (0, 0, 0, 1), (4, 3, 2, 1), (1, 1, .max, 1)] {
            #expect(pixels.colors(x: x, y: y, width: width, height: height) == nil)
        }
    }

    @Test("the average is weighted by alpha")
    func average() throws {
        let image = try TransformFixture.image(4, 1, isOpaque: false) { x, _ in
            [ImageColor(red: 255, green: 0, blue: 0), ImageColor(red: 0, green: 0, blue: 255), .clear, .clear][x]
        }
        #expect(image.pixels.averageColor == ImageColor(red: 128, green: 0, blue: 128, alpha: 128))
        let clear = try TransformFixture.image(3, 3, isOpaque: false) { _, _ in .clear }
        #expect(clear.pixels.averageColor == .clear && clear.pixels.dominantColor == nil)
    }

    @Test("the dominant colour is that of most pixels, not the mean")
    func dominant() throws {
        let image = try TransformFixture.image(10, 1, isOpaque: true) { x, _ in
            x < 4 ? ImageColor(red: 250, green: 10, blue: 10) : ImageColor(red: UInt8(x * 20), green: 255, blue: 0)
        }
        #expect(image.pixels.dominantColor == ImageColor(red: 250, green: 10, blue: 10))
    }
}
