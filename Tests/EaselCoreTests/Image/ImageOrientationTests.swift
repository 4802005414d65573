import Testing

@testable import EaselCore

@Suite("Image orientation")
struct ImageOrientationTests {
    @Test("has the eight values of EXIF, and no other")
    func values() {
        #expect(ImageOrientation.allCases.map(\.rawValue) == Array(1...8))
        #expect(ImageOrientation(rawValue: 0) == nil)
        #expect(ImageOrientation(rawValue: 9) == nil)
    }

    @Test("the four that turn by a quarter swap width and height (X163)")
    func sides() {
        let stored = PixelSize(30, 20)
        for orientation in ImageOrientation.allCases {
            let turned = orientation.rawValue > 4
            #expect(orientation.upright(stored) == (turned ? PixelSize(20, 30) : stored))
            let header = ImageHeader(format: .jpeg, storedSize: stored, orientation: orientation)
            #expect(header.size == orientation.upright(stored))
        }
    }
}
