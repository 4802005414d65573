import CoreGraphics
import EaselApple
import EaselCore
import ImageIO
import Testing

@Suite("Core Graphics bridges")
struct BridgeTests {
    @Test("pixels become an image without a copy, and live as long as the image")
    func noCopy() throws {
        let image: CGImage
        let address: UnsafeRawPointer?
        do {
            let decoded = try DecodedImage.solid(7)
            address = decoded.pixels.withUnsafeBytes(\.baseAddress)
            image = try #require(decoded.cgImage)
        }
        #expect(image.dataProvider?.address == address)
        #expect(image.number == 7)
        #expect(image.bytesPerRow == 64)
        #expect(image.width == 8)
        #expect(image.alphaInfo == .premultipliedFirst)
    }

    @Test("opaque pixels and wide colours are marked as such")
    func description() throws {
        var image = try DecodedImage.solid(255)
        #expect(image.cgImage?.alphaInfo == .noneSkipFirst)
        #expect(image.cgImage?.colorSpace?.name == CGColorSpace.sRGB)
        image.metadata.colorSpace = .displayP3
        #expect(image.cgImage?.colorSpace?.name == CGColorSpace.displayP3)
    }

    @Test("the pixels of an image are converted back")
    func convertsBack() throws {
        let image = try #require(try DecodedImage.solid(7).cgImage)
        let decoded = try DecodedImage(image, scale: 2)
        #expect(decoded.pixels[7, 5] == Pixel(blue: 7, green: 7, red: 7, alpha: 7))
        #expect(decoded.scale == 2)
        #expect(!decoded.pixels.isOpaque)
    }

    @Test("a rotated image is converted upright", arguments: [CGImagePropertyOrientation.right, .left])
    func upright(orientation: CGImagePropertyOrientation) throws {
        let image = try #require(try DecodedImage.solid(7).cgImage)
        #expect(try DecodedImage(image, orientation: orientation).size == PixelSize(6, 8))
    }
}
