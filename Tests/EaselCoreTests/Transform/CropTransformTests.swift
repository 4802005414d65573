import EaselTesting
import Testing

@testable import EaselCore

@Suite("Cropping")
struct CropTransformTests {
    @Test(
        "a crop to a square takes the largest one in the middle",
        arguments: [
            (PixelSize(9, 4), 4, 2, 0), (PixelSize(4, 9), 4, 0, 2), (PixelSize(40, 41), 40, 0, 0),
            (PixelSize(1, 9), 1, 0, 4),
        ])
    func square(size: PixelSize, side: Int, left: Int, top: Int) throws {
        try expect(.cropToSquare, of: size, gives: PixelSize(side, side), left: left, top: top)
    }

    @Test(
        "a crop to a size takes that many pixels from the middle, or as many as there are",
        arguments: [
            (PixelSize(20, 10), PixelSize(6, 4), PixelSize(6, 4), 7, 3),
            (PixelSize(20, 10), PixelSize(100, 4), PixelSize(20, 4), 0, 3),
            (PixelSize(33, 17), PixelSize(1, 1), PixelSize(1, 1), 16, 8),
            (PixelSize(33, 17), PixelSize(17, 17), PixelSize(17, 17), 8, 0),
        ])
    func size(size: PixelSize, requested: PixelSize, expected: PixelSize, left: Int, top: Int) throws {
        try expect(.crop(to: requested), of: size, gives: expected, left: left, top: top)
    }

    @Test("a crop no smaller than the image returns it without a copy")
    func unchanged() throws {
        let image = try TestImage.gradient(8, 8).image()
        for transform in [ImageTransform.cropToSquare, .crop(to: PixelSize(8, 8)), .crop(to: PixelSize(.max, .max))] {
            let result = try image.applying([transform])
            #expect(address(result) == address(image))
        }
    }

    @Test(
        "a crop to an empty size throws",
        arguments: [PixelSize(0, 5), PixelSize(5, 0), PixelSize(-1, 5), PixelSize(.min, .min)])
    func nothing(size: PixelSize) throws {
        let image = try TestImage.gradient(8, 8).image()
        #expect {
            try image.applying([.crop(to: size)])
        } throws: { error in
            (error as? ImageError)?.code == .unsupported
        }
    }

    @Test("a crop keeps scale, metadata and opacity")
    func metadata() throws {
        let clear = Pixel(blue: 1, green: 2, red: 3, alpha: 9)
        for original in [TestImage.gradient(9, 4), TestImage.solid(clear, 9, 4)] {
            var image = try original.image()
            image.scale = 2
            image.metadata.frameIndex = 3
            let result = try image.applying([.cropToSquare])
            #expect(result.scale == 2 && result.metadata.frameIndex == 3)
            #expect(result.pixels.isOpaque == image.pixels.isOpaque)
        }
    }

    private func expect(
        _ transform: ImageTransform, of size: PixelSize, gives expected: PixelSize, left: Int, top: Int
    ) throws {
        let image = try TestImage.gradient(size.width, size.height).image()
        let result = try image.applying([transform])
        #expect(result.size == expected)
        for y in 0..<expected.height {
            for x in 0..<expected.width { #expect(result.pixels[x, y] == image.pixels[left + x, top + y]) }
        }
    }

    private func address(_ image: DecodedImage) -> UInt {
        image.pixels.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    }
}
