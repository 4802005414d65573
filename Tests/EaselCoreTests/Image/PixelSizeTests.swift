import Testing

@testable import EaselCore

@Suite("Pixel size")
struct PixelSizeTests {
    @Test("the area is the product of the sides, or nil if it overflows or a side is negative")
    func area() {
        #expect(PixelSize(30, 20).area == 600)
        #expect(PixelSize(0, 20).area == 0)
        #expect(PixelSize(.max, 1).area == .max)
        #expect(PixelSize(.max, 2).area == nil)
        #expect(PixelSize(-1, 20).area == nil)
        #expect(PixelSize(-1, -20).area == nil)
    }

    @Test("a size is described as width x height")
    func text() {
        #expect("\(PixelSize(30, 20))" == "30 x 20")
    }
}

@Suite("Image orientation")
struct ImageOrientationTests {
    @Test("orientations are the eight values of EXIF")
    func values() {
        #expect(ImageOrientation.allCases.map(\.rawValue) == Array(1...8))
        #expect(ImageOrientation(rawValue: 0) == nil)
        #expect(ImageOrientation(rawValue: 9) == nil)
    }

    @Test("the four orientations that rotate by 90 degrees swap width and height (X163)")
    func sides() {
        let stored = PixelSize(30, 20)
        for orientation in ImageOrientation.allCases {
            let swapsSides = orientation.rawValue > 4
            #expect(orientation.upright(stored) == (swapsSides ? PixelSize(20, 30) : stored))
            let header = ImageHeader(format: .jpeg, storedSize: stored, orientation: orientation)
            #expect(header.size == orientation.upright(stored))
        }
    }
}
