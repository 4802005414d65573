import Testing

@testable import EaselCore

@Suite("Image limits")
struct ImageLimitsTests {
    @Test("a header of 50,000 x 50,000 is rejected by default")
    func bomb() {
        let size = PixelSize(50_000, 50_000)
        #expect(throws: ImageError.tooLarge(.pixels(size, limit: 100_000_000))) { try check(size) }
    }

    @Test("an image at the limit is accepted, one pixel more is rejected")
    func exact() throws {
        try check(PixelSize(10_000, 10_000))
        #expect(throws: ImageError.self) { try check(PixelSize(100_000_001, 1)) }
        try check(PixelSize(100_000_000, 1))
    }

    @Test("an area that overflows exceeds every limit")
    func overflow() {
        for size in [PixelSize(.max, 2), PixelSize(.max, .max), PixelSize(1 << 32, 1 << 32)] {
            #expect(throws: ImageError.tooLarge(.pixels(size, limit: .max))) {
                try check(size, ImageLimits(pixels: .max))
            }
        }
    }

    @Test(
        "an image without pixels is bad data (X141)",
        arguments: [PixelSize(0, 5), PixelSize(5, 0), PixelSize(0, 0), PixelSize(-5, 5), PixelSize(-5, -5)])
    func empty(size: PixelSize) {
        #expect {
            try check(size)
        } throws: { error in
            (error as? ImageError)?.code == .badData
        }
    }

    @Test("the frames of an animation are limited")
    func frames() throws {
        var header = ImageHeader(format: .gif, storedSize: PixelSize(1, 1), frameCount: 10_000)
        try ImageLimits().check(header)
        header.frameCount = 10_001
        #expect(throws: ImageError.tooLarge(.frames(10_001, limit: 10_000))) { try ImageLimits().check(header) }
    }

    private func check(_ size: PixelSize, _ limits: ImageLimits = ImageLimits()) throws(ImageError) {
        try limits.check(ImageHeader(format: .png, storedSize: size))
    }
}
