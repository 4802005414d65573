import EaselTesting
import Testing

@testable import EaselCore

@Suite("Equal trims, and overlays outside of the image")
struct TrimAndOverlayTests {
    private let black = Pixel(blue: 0, green: 0, red: 0, alpha: 255)
    private let white = Pixel(blue: 255, green: 255, red: 255, alpha: 255)

    @Test("an equal trim cuts as much from both edges")
    func equalTrim() throws {
        let pixels = try PixelBuffer.drawn(20, 12, isOpaque: true) { x, y in
            (4..<10).contains(x) && (1..<6).contains(y) ? black : white
        }
        let image = DecodedImage(pixels: pixels, metadata: ImageMetadata())
        func size(_ horizontal: Bool, _ vertical: Bool) throws -> PixelSize {
            let trim = ImageTransform.trim(.corner, tolerance: 0, equalColumns: horizontal, equalRows: vertical)
            return try image.applying([trim]).size
        }
        #expect(try size(false, false) == PixelSize(6, 5))
        #expect(try size(true, false) == PixelSize(12, 5))
        #expect(try size(false, true) == PixelSize(6, 10))
        #expect(try size(true, true) == PixelSize(12, 10))
        #expect(ImageTransform.trim().identifier == "Trim(corner,0)")
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
