import EaselTesting
import Testing

@testable import EaselCore

@Suite("Resampler in linear light")
struct LinearResamplerTests {
    @Test("a level is unchanged after conversion to light and back")
    func levels() {
        for level in UInt32(0)...255 {
            let pixel = 0xFF00_0000 | level | level << 8 | (255 - level) << 16
            #expect(LinearLight.shared.pixel(of: LightKernelsTests.light(of: pixel)) == pixel)
        }
    }

    @Test("a uniform colour stays exact, opaque or not", arguments: [255, 100, 1, 0])
    func evenColor(alpha: Int) throws {
        let color = Pixel(
            blue: UInt8(10 * alpha / 255), green: UInt8(77 * alpha / 255), red: UInt8(200 * alpha / 255),
            alpha: UInt8(alpha))
        let source = try PixelBuffer.drawn(40, 33, isOpaque: alpha == 255) { _, _ in color }
        for size in [PixelSize(7, 3), PixelSize(50, 40)] {
            let result = try source.resizedInLinearLight(to: size)
            #expect(result.size == size)
            #expect(result.isOpaque == source.isOpaque)
            for y in 0..<size.height { for x in 0..<size.width { #expect(near(result[x, y], color)) } }
        }
    }

    @Test("black and white in equal parts give the level of half the light")
    func checkerboard() throws {
        let source = try PixelBuffer.drawn(64, 64, isOpaque: true) { x, y in gray((x + y) % 2 == 0 ? 255 : 0) }
        let result = try source.resizedInLinearLight(to: PixelSize(5, 5))
        #expect(abs(Int(result[2, 2].green) - 188) <= 2)
        #expect(try abs(Int(source.resized(to: PixelSize(5, 5))[2, 2].green) - 128) <= 2)
    }

    @Test(
        "resizing matches the reference filter on light within one level", arguments: [(30, 20), (13, 11), (60, 50)])
    func reference(width: Int, height: Int) throws {
        // Shrinks by less than four, so that no blocks are averaged.
        let source = try PixelBuffer.drawn(41, 43, isOpaque: true) { x, y in
            gray(UInt8((x * 7919 + y * 104_729 + x * y * 31) % 256))
        }
        let size = PixelSize(width, height)
        let result = try source.resizedInLinearLight(to: size)
        let light = (0..<43).map { y in
            (0..<41).map { x in LinearLight.light(ofLevel: Double(source[x, y].green) / 255) }
        }
        let expected = LanczosReference.resized(light, to: size)
        for y in 0..<height {
            for x in 0..<width {
                let level = LinearLight.level(ofLight: min(max(expected[y][x], 0), 1)) * 255
                // A dark level is almost no light, so that the 14 bits of the weights matter.
                let slack = level < 40 ? 3.0 : 1.0
                #expect(abs(Double(result[x, y].green) - level) <= slack)
            }
        }
    }

    @Test("no component exceeds alpha")
    func premultiplied() throws {
        let source = try PixelBuffer.drawn(60, 60, isOpaque: false) { x, y in
            (x / 6 + y / 6) % 2 == 0 ? gray(255) : Pixel(blue: 0, green: 0, red: 0, alpha: 0)
        }
        let result = try source.resizedInLinearLight(to: PixelSize(13, 7))
        for y in 0..<7 {
            for x in 0..<13 {
                let pixel = result[x, y]
                #expect(max(pixel.blue, pixel.green, pixel.red) <= pixel.alpha)
            }
        }
    }

    @Test("resizing in linear light has a separate key")
    func key() {
        let size = TargetSize.pixels(width: 5, height: 5)
        let identifiers = [
            ImageTransform.resize(size), .resize(size, inLinearLight: true),
            .resize(size, upscaling: true, inLinearLight: true),
        ].map(\.identifier)
        #expect(Set(identifiers).count == 3)
    }

    @Test("a cancelled resize throws")
    func cancellation() throws {
        let source = try PixelBuffer.drawn(8, 8, isOpaque: true) { _, _ in gray(5) }
        #expect(throws: ImageError.cancelled) {
            try source.resizedInLinearLight(to: PixelSize(4, 4), isCancelled: { true })
        }
    }

    private func gray(_ level: UInt8) -> Pixel { Pixel(blue: level, green: level, red: level, alpha: 255) }

    /// Returns whether colours are equal, within rounding for premultiplied ones.
    private func near(_ a: Pixel, _ b: Pixel) -> Bool {
        let slack = b.alpha == 255 ? 0 : 1
        return a.alpha == b.alpha
            && [(a.blue, b.blue), (a.green, b.green), (a.red, b.red)].allSatisfy { abs(Int($0) - Int($1)) <= slack }
    }
}
