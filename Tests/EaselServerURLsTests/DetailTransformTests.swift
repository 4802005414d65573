#if Server
import EaselCore
import EaselTesting
import Testing

@testable import EaselServerURLs

@Suite("Server URLs: pixelation, smart crops and tiles")
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

    @Test("tiles cover an area, with one in the middle")
    func tiles() throws {
        let tile = try TestImage.solid(black, 2, 2).pixels()
        let tiled = try tile.tiled(over: PixelSize(10, 4), spacing: PixelSize(1, 0))
        let row = (0..<10).map { tiled[$0, 1] == black }
        #expect(row == [false, true, true, false, true, true, false, true, true, false])
        let dense = try tile.tiled(over: PixelSize(3, 3), spacing: PixelSize(-5, 0))
        #expect(dense[0, 0] == black && dense[2, 2] == black)
    }
}
#endif
