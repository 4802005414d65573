import EaselTesting
import Testing

@testable import EaselCore

@Suite("Pixel buffer")
struct PixelBufferTests {
    @Test("rows start at multiples of 64 bytes", arguments: [1, 15, 16, 17, 31, 33, 1_000])
    func alignment(width: Int) throws {
        let buffer = try TestImage.gradient(width, 3).pixels()
        #expect(buffer.bytesPerRow % 64 == 0)
        #expect(buffer.bytesPerRow >= width * 4)
        #expect(buffer.bytesPerRow < width * 4 + 64)
        buffer.withUnsafeBytes { bytes in
            #expect(UInt(bitPattern: bytes.baseAddress) % 64 == 0)
            #expect(bytes.count == buffer.byteCount)
        }
    }

    @Test("pixels are stored in the order B, G, R, A")
    func pixels() throws {
        let buffer = try PixelBuffer(size: PixelSize(3, 2), isOpaque: false) { bytes, bytesPerRow in
            for y in 0..<2 {
                for x in 0..<3 {
                    for component in 0..<4 {
                        bytes[y * bytesPerRow + x * 4 + component] = UInt8(y * 100 + x * 10 + component)
                    }
                }
            }
        }
        #expect(buffer[0, 0] == Pixel(blue: 0, green: 1, red: 2, alpha: 3))
        #expect(buffer[2, 0] == Pixel(blue: 20, green: 21, red: 22, alpha: 23))
        #expect(buffer[1, 1] == Pixel(blue: 110, green: 111, red: 112, alpha: 113))
    }

    @Test(
        "a size that is too large is rejected before memory is allocated",
        arguments: [
            PixelSize(.max, 1), PixelSize(1, .max), PixelSize(.max, .max), PixelSize(1 << 31, 1 << 31),
            PixelSize(1 << 60, 1 << 2), PixelSize(1_000_000_000, 1_000_000_000), PixelSize(.max / 4, 1),
            PixelSize(1, 1 << 55), PixelSize(1 << 24, 1 << 24),
        ])
    func tooLarge(size: PixelSize) {
        var wasFilled = false
        #expect {
            try PixelBuffer(size: size, isOpaque: true) { _, _ in wasFilled = true }
        } throws: { error in
            if case .pixels(size, limit: _)? = (error as? ImageError)?.excess { true } else { false }
        }
        #expect(!wasFilled)
    }

    @Test(
        "a size without pixels is rejected",
        arguments: [PixelSize(0, 1), PixelSize(1, 0), PixelSize(-1, 1), PixelSize(1, -1), PixelSize(.min, .min)])
    func empty(size: PixelSize) {
        #expect(throws: ImageError.self) { try PixelBuffer(size: size, isOpaque: true) { _, _ in } }
    }

    @Test("the initializer throws the error of its closure")
    func failedFill() {
        #expect(throws: ImageError.cancelled) {
            try PixelBuffer(size: PixelSize(4, 4), isOpaque: true) { (_, _) throws(ImageError) in throw .cancelled }
        }
    }

    @Test("the opacity can be corrected without a copy")
    func opacity() throws {
        let buffer = try TestImage.gradient(5, 5).pixels()
        let corrected = PixelBuffer(buffer, isOpaque: false)
        #expect(buffer.isOpaque)
        #expect(!corrected.isOpaque)
        #expect(corrected.size == buffer.size)
        let addresses = [buffer, corrected].map { $0.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
        #expect(addresses[0] == addresses[1])
    }

    @Test("straight R, G, B, A is premultiplied and reordered, with rows of any length")
    func straight() throws {
        let bytes: [UInt8] = [200, 100, 50, 255, 200, 100, 50, 128, 9, 9, 1, 2, 3, 0, 255, 255, 255, 51]
        let buffer = try bytes.withUnsafeBytes {
            try PixelBuffer(straightRGBA: $0, bytesPerRow: 10, size: PixelSize(2, 2))
        }
        #expect(buffer[0, 0] == Pixel(blue: 50, green: 100, red: 200, alpha: 255))
        #expect(buffer[1, 0] == Pixel(blue: 25, green: 50, red: 100, alpha: 128))
        #expect(buffer[0, 1] == Pixel(blue: 0, green: 0, red: 0, alpha: 0))
        #expect(buffer[1, 1] == Pixel(blue: 51, green: 51, red: 51, alpha: 51))
        #expect(!buffer.isOpaque)
        let opaque = try bytes.withUnsafeBytes {
            try PixelBuffer(straightRGBA: $0, bytesPerRow: 4, size: PixelSize(1, 1))
        }
        #expect(opaque.isOpaque)
    }

    @Test(
        "straight pixels with too few bytes are rejected",
        arguments: [(8, 2, 3), (7, 2, 2), (10, 2, 2), (8, 0, 1), (-8, 1, 1), (.max, 2, .max), (8, .max, 1)])
    func tooFewBytes(bytesPerRow: Int, width: Int, height: Int) {
        let bytes = [UInt8](repeating: 1, count: 17)
        #expect(throws: ImageError.self) {
            try bytes.withUnsafeBytes {
                try PixelBuffer(straightRGBA: $0, bytesPerRow: bytesPerRow, size: PixelSize(width, height))
            }
        }
    }

    private func address(_ buffer: PixelBuffer) -> UInt {
        buffer.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    }

    @Test("change modifies a unique buffer in place and copies a shared one")
    func change() throws {
        var buffer = try TestImage.gradient(50, 50).pixels()
        let start = address(buffer)
        try buffer.change(keepsContent: true) { $0[0] = 77 }
        #expect(address(buffer) == start && buffer[0, 0].blue == 77)
        let copy = buffer
        try buffer.change(keepsContent: true) { $0[1] = 99 }
        #expect(address(buffer) != start && address(copy) == start)
        #expect(copy[0, 0].green != 99)
        #expect(buffer[0, 0].blue == 77 && buffer[0, 0].green == 99)
    }

    @Test("change copies a buffer that a cache references weakly, even without other references")
    func weaklyReferenced() throws {
        var buffer = try TestImage.gradient(50, 50).pixels()
        let start = address(buffer)
        var copy: PixelBuffer? = buffer
        let weakReference = copy?.weakReference()
        let reference = try #require(weakReference)
        copy = nil
        try buffer.change(keepsContent: false) { $0[0] = 77 }
        #expect(address(buffer) != start)
        #expect(reference() == nil)
    }

    @Test("an image costs the bytes of its pixels, including padding (X098)")
    func cost() throws {
        let image = try TestImage.gradient(10, 7).image()
        #expect(image.memoryCost == 64 * 7)
        #expect(image.size == PixelSize(10, 7))
    }
}
