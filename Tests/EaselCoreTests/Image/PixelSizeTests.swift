import Testing

@testable import EaselCore

@Suite("Pixel size")
struct PixelSizeTests {
    @Test("has the area of its sides, and none where it overflows or a side is negative")
    func area() {
        #expect(PixelSize(30, 20).area == 600)
        #expect(PixelSize(0, 20).area == 0)
        #expect(PixelSize(.max, 1).area == .max)
        #expect(PixelSize(.max, 2).area == nil)
        #expect(PixelSize(-1, 20).area == nil)
        #expect(PixelSize(-1, -20).area == nil)
    }

    @Test("is written as a person writes it")
    func text() {
        #expect("\(PixelSize(30, 20))" == "30 x 20")
    }
}
