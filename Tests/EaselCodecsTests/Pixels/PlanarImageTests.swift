import EaselCore
import EaselTesting
import Testing

@testable import EaselCodecs

@Suite("Planar image")
struct PlanarImageTests {
    @Test(
        "each pixel is the mean of its block in BT.601, also at partial blocks",
        arguments: [PixelSize(2, 2), PixelSize(6, 4), PixelSize(4, 10), PixelSize(128, 128)])
    func means(block: PixelSize) throws {
        let image = try noise(PixelSize(133, 67))
        let pixels = try image.average(block: block, rowCount: 67) { false }
        #expect(pixels.size == PixelSize((132 + block.width) / block.width, (66 + block.height) / block.height))
        for y in 0..<pixels.height {
            for x in 0..<pixels.width {
                let half = PixelSize(block.width / 2, block.height / 2)
                let expected = color(
                    mean(image.luma, of: image, block, x, y), mean(image.blueDifference, of: image, half, x, y),
                    mean(image.redDifference, of: image, half, x, y))
                let pixel = pixels[x, y]
                let components = [pixel.blue, pixel.green, pixel.red].map(Double.init)
                #expect(zip(components, expected).allSatisfy { abs($0 - $1) <= 0.53 })
                #expect(pixel.alpha == 255)
            }
        }
    }

    @Test(
        "16 is black and 235 is white, and values beyond are clamped",
        arguments: [(0, 0), (16, 0), (235, 255), (255, 255)])
    func range(luma: Int, gray: Int) throws {
        let image = try PlanarImage(PixelSize(16, 16))
        fill(image, luma: UInt8(luma), blueDifference: 128, redDifference: 128)
        let pixel = try image.average(block: PixelSize(16, 16), rowCount: 16) { false }[0, 0]
        #expect([pixel.blue, pixel.green, pixel.red].allSatisfy { Int($0) == gray })
    }

    @Test("whole blocks of the available rows are shown, and the rest is transparent")
    func partial() throws {
        let pixels = try noise(PixelSize(20, 40)).average(block: PixelSize(4, 4), rowCount: 23) { false }
        #expect(!pixels.isOpaque)
        #expect((0..<10).map { pixels[3, $0].alpha } == [255, 255, 255, 255, 255, 0, 0, 0, 0, 0])
    }

    @Test("a size beyond any memory is refused")
    func tooLarge() {
        let error = #expect(throws: ImageError.self) { _ = try PlanarImage(PixelSize(1 << 40, 2)) }
        #expect(error?.code == .tooLarge)
    }

    /// Returns an image with pseudo-random bytes in all three planes, including the padding of rows.
    private func noise(_ size: PixelSize) throws -> PlanarImage {
        let image = try PlanarImage(size)
        var random = SeededGenerator(seed: 7)
        for plane in [image.luma, image.blueDifference, image.redDifference] {
            let bytes = image.bytes(of: plane)
            for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
        }
        return image
    }

    private func fill(_ image: PlanarImage, luma: UInt8, blueDifference: UInt8, redDifference: UInt8) {
        image.bytes(of: image.luma).initializeMemory(as: UInt8.self, repeating: luma)
        image.bytes(of: image.blueDifference).initializeMemory(as: UInt8.self, repeating: blueDifference)
        image.bytes(of: image.redDifference).initializeMemory(as: UInt8.self, repeating: redDifference)
    }

    private func mean(
        _ plane: PlanarImage.Plane, of image: PlanarImage, _ block: PixelSize, _ x: Int, _ y: Int
    ) -> Double {
        let bytes = image.bytes(of: plane)
        let rows = (y * block.height)..<min((y + 1) * block.height, plane.size.height)
        let columns = (x * block.width)..<min((x + 1) * block.width, plane.size.width)
        var sum = 0
        for row in rows { for column in columns { sum += Int(bytes[row * plane.bytesPerRow + column]) } }
        return Double(sum) / Double(rows.count * columns.count)
    }

    /// Returns blue, green and red according to ITU-R BT.601, from its weights of red and blue.
    private func color(_ luma: Double, _ blueDifference: Double, _ redDifference: Double) -> [Double] {
        let (red, blue) = (0.299, 0.114)
        let green = 1 - red - blue
        let light = (luma - 16) * 255 / 219
        let towardsBlue = (blueDifference - 128) * 255 / 224 * 2 * (1 - blue)
        let towardsRed = (redDifference - 128) * 255 / 224 * 2 * (1 - red)
        return [light + towardsBlue, light - towardsBlue * blue / green - towardsRed * red / green, light + towardsRed]
            .map { min(max($0, 0), 255) }
    }
}
