import EaselTesting
import Testing

@testable import EaselCore

@Suite("Pixelation, smart crops, equal trims and tiles")
struct DetailTransformTests {
    private let black = Pixel(blue: 0, green: 0, red: 0, alpha: 255)
    private let white = Pixel(blue: 255, green: 255, red: 255, alpha: 255)

    @Test("a square has the mean of its pixels, also where the edges cut it")
    func pixelate() throws {
        let image = try TestImage.checkerboard(7, 5, square: 2).image()
        let result = try image.applying([.pixelate(side: 4)])
        #expect(result.size == image.size)
        #expect(result.pixels[0, 0].red == 128 && result.pixels[3, 3].red == 128)
        // Columns 4 to 6 of row 4: two black pixels and a white one.
        #expect(result.pixels[6, 4].red == 85)
        #expect(result.pixels.isOpaque)
        for side in [1, 0, -3] { #expect(try image.applying([.pixelate(side: side)]).pixels[0, 0] == black) }
        #expect(
            try image.applying([.pixelate(side: .max / 2)]).pixels[0, 0]
                == image.applying([.pixelate(side: 8)]).pixels[6, 4])
    }

    @Test("a smart crop contains the detail, wherever it is", arguments: [0, 40, 130, 240])
    func smartCrop(left: Int) throws {
        let gray = Pixel(blue: 128, green: 128, red: 128, alpha: 255)
        let pixels = try PixelBuffer.drawn(300, 90, isOpaque: true) { x, y in
            (left..<(left + 60)).contains(x) && (x / 5 + y / 5) % 2 == 0 ? black : gray
        }
        let image = DecodedImage(pixels: pixels, metadata: ImageMetadata())
        let result = try image.applying([.smartCrop(to: PixelSize(90, 90))])
        #expect(result.size == PixelSize(90, 90))
        let count = (0..<90).reduce(0) { $0 + (result.pixels[$1, 2] == black ? 1 : 0) }
        #expect(count >= 28)
    }

    @Test("a smart crop of an even image is in the middle, and never larger than the image")
    func evenSmartCrop() throws {
        let image = try TestImage.solid(white, 40, 20).image()
        #expect(try image.applying([.smartCrop(to: PixelSize(100, 100))]).size == PixelSize(40, 20))
        #expect(try image.applying([.smartCrop(to: PixelSize(0, -1))]).size == PixelSize(1, 1))
        let marked = try PixelBuffer.drawn(1, 1, isOpaque: true) { _, _ in white }
        #expect(
            try DecodedImage(pixels: marked, metadata: ImageMetadata()).applying([.smartCrop(to: PixelSize(1, 1))]).size
                == PixelSize(1, 1))
    }

    @Test("an equal trim cuts as much from both edges")
    func equalTrim() throws {
        let pixels = try PixelBuffer.drawn(20, 12, isOpaque: true) { x, y in
            (4..<10).contains(x) && (1..<6).contains(y) ? black : white
        }
        let image = DecodedImage(pixels: pixels, metadata: ImageMetadata())
        func size(_ horizontal: Bool, _ vertical: Bool) throws -> PixelSize {
            let axes = TrimAxes(isHorizontal: horizontal, isVertical: vertical)
            return try image.applying([.trim(.corner, tolerance: 0, equally: axes)]).size
        }
        #expect(try size(false, false) == PixelSize(6, 5))
        #expect(try size(true, false) == PixelSize(12, 5))
        #expect(try size(false, true) == PixelSize(6, 10))
        #expect(try size(true, true) == PixelSize(12, 10))
        #expect(ImageTransform.trim().identifier == "Trim(corner,0)")
    }

    @Test("tiles cover an area, with one in the middle")
    func tiles() throws {
        let tile = try TestImage.solid(black, 2, 2).pixels()
        let tiled = try tile.tiled(over: PixelSize(10, 4), spacing: PixelSize(1, 0), isCancelled: { false })
        let row = (0..<10).map { tiled[$0, 1] == black }
        #expect(row == [false, true, true, false, true, true, false, true, true, false])
        let dense = try tile.tiled(over: PixelSize(3, 3), spacing: PixelSize(-5, 0), isCancelled: { false })
        #expect(dense[0, 0] == black && dense[2, 2] == black)
    }

    @Test("an overlay outside of the image leaves it unchanged")
    func outside() throws {
        let image = try TestImage.solid(white, 4, 4).image()
        let mark = try TestImage.solid(black, 2, 2).pixels()
        for (left, top) in [(-2, 0), (4, 0), (0, -2), (0, 9)] {
            let result = try image.drawing(mark, left: left, top: top, opacity: 255, isCancelled: { false })
            #expect(result.pixels[0, 0] == white && result.pixels[3, 3] == white)
        }
        let partial = try image.drawing(mark, left: 3, top: -1, opacity: 255, isCancelled: { false })
        #expect(partial.pixels[3, 0] == black && partial.pixels[2, 0] == white)
    }
}
