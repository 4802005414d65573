import EaselCore
import EaselTesting
import Testing

@Suite("Resampler")
struct ResamplerTests {
    @Test(
        "a uniform colour stays exact",
        arguments: [(1, 1), (7, 3), (19, 40), (40, 19), (64, 64), (150, 90)])
    func evenColor(width: Int, height: Int) throws {
        let color = Pixel(blue: 10, green: 77, red: 200, alpha: 255)
        let source = try PixelBuffer.drawn(40, 40, isOpaque: true) { _, _ in color }
        let result = try source.resized(to: PixelSize(width, height))
        #expect(result.size == PixelSize(width, height))
        #expect(pixels(result).allSatisfy { $0 == color })
    }

    @Test("a uniform translucent colour stays exact")
    func evenTranslucentColor() throws {
        let color = Pixel(blue: 3, green: 100, red: 99, alpha: 100)
        let source = try PixelBuffer.drawn(33, 70, isOpaque: false) { _, _ in color }
        let result = try source.resized(to: PixelSize(4, 5))
        #expect(pixels(result).allSatisfy { $0 == color })
    }

    @Test("resizing to the same size returns the same pixels")
    func sameSize() throws {
        let source = try noise(9, 5, isOpaque: false)
        #expect(pixels(try source.resized(to: source.size)) == pixels(source))
    }

    @Test("an opaque image stays opaque, also at edges that overshoot")
    func opaque() throws {
        let source = try noise(50, 50, isOpaque: true)
        let result = try source.resized(to: PixelSize(17, 23))
        #expect(result.isOpaque)
        #expect(pixels(result).allSatisfy { $0.alpha == 255 })
    }

    @Test("no component exceeds alpha", arguments: [(30, 30), (13, 7), (3, 3)])
    func premultiplied(width: Int, height: Int) throws {
        // Opaque white next to clear pixels, at which the filter overshoots most.
        let source = try PixelBuffer.drawn(60, 60, isOpaque: false) { x, y in
            (x / 6 + y / 6) % 2 == 0
                ? Pixel(blue: 255, green: 255, red: 255, alpha: 255) : Pixel(blue: 0, green: 0, red: 0, alpha: 0)
        }
        let result = try source.resized(to: PixelSize(width, height))
        #expect(!result.isOpaque)
        #expect(pixels(result).allSatisfy { max($0.blue, $0.green, $0.red) <= $0.alpha })
    }

    @Test(
        "resizing matches the reference filter within one level",
        arguments: [(30, 20), (21, 37), (13, 11), (60, 60), (45, 41)])
    func reference(width: Int, height: Int) throws {
        // Shrinks by less than four, so that no blocks are averaged.
        let source = try noise(41, 43, isOpaque: true)
        let result = try source.resized(to: PixelSize(width, height))
        let expected = LanczosReference.resized(source, to: PixelSize(width, height))
        let largest = zip(pixels(result), expected).map(difference).max() ?? 255
        #expect(largest <= 1)
    }

    @Test("averaging blocks first changes little")
    func blocks() throws {
        // Shrinks by more than ten, with blocks that do not divide the image.
        let source = try PixelBuffer.drawn(130, 94, isOpaque: true) { x, y in
            Pixel(
                blue: UInt8(x * 255 / 129), green: UInt8(y * 255 / 93), red: UInt8((x * y) % 256 / 2 + 60), alpha: 255)
        }
        let size = PixelSize(11, 9)
        let result = pixels(try source.resized(to: size))
        let expected = LanczosReference.resized(source, to: size)
        let mean = zip(result, expected).map(difference).reduce(0, +) / Double(result.count)
        #expect(mean < 2)
    }

    @Test("a pattern finer than the result becomes its mean")
    func aliasing() throws {
        let source = try PixelBuffer.drawn(300, 300, isOpaque: true) { x, y in
            let level: UInt8 = (x + y) % 2 == 0 ? 255 : 0
            return Pixel(blue: level, green: level, red: level, alpha: 255)
        }
        for pixel in pixels(try source.resized(to: PixelSize(29, 31))) {
            #expect(abs(Int(pixel.green) - 128) <= 6)
        }
    }

    @Test("a cancelled resize throws")
    func cancellation() throws {
        let source = try noise(20, 20, isOpaque: true)
        #expect(throws: ImageError.cancelled) {
            try source.resized(to: PixelSize(5, 5), isCancelled: { true })
        }
    }
}

/// Returns reproducible noise.
private func noise(_ width: Int, _ height: Int, isOpaque: Bool) throws -> PixelBuffer {
    try PixelBuffer.drawn(width, height, isOpaque: isOpaque) { x, y in
        let level = (x * 7919 + y * 104_729 + x * y * 31) % 256
        let alpha = isOpaque ? 255 : (x * 37 + y * 11) % 256
        return Pixel(
            blue: UInt8(level * alpha / 255), green: UInt8((255 - level) * alpha / 255),
            red: UInt8(level / 2 * alpha / 255), alpha: UInt8(alpha))
    }
}

/// Returns the largest difference of a component from the exact blue, green and red.
private func difference(_ pixel: Pixel, _ exact: [Double]) -> Double {
    let differences = [
        abs(Double(pixel.blue) - exact[0]), abs(Double(pixel.green) - exact[1]), abs(Double(pixel.red) - exact[2]),
    ]
    return differences.max() ?? 255
}

private func pixels(_ buffer: PixelBuffer) -> [Pixel] {
    (0..<buffer.height).flatMap { y in (0..<buffer.width).map { x in buffer[x, y] } }
}
