import EaselCore
import EaselTesting
import Testing

@testable import easel

@Suite struct ContactSheetTests {
    @Test func placesAreSideBySideInAWideWindow() {
        let sheet = ContactSheet(count: 3, canvas: PixelSize(304, 100), gap: 2)
        #expect(sheet.cell == PixelSize(100, 100))
        #expect(sheet.size == PixelSize(304, 100))
    }

    @Test func placesAreBelowEachOtherInATallWindow() {
        let sheet = ContactSheet(count: 2, canvas: PixelSize(100, 202), gap: 2)
        #expect(sheet.cell == PixelSize(100, 100))
    }

    @Test func imagesStandInTheMiddleOfTheirPlaces() throws {
        let sheet = ContactSheet(count: 2, canvas: PixelSize(11, 5), gap: 1)
        let pixels = try sheet.compose([
            try TestImage.solid(.pureRed, 1, 1).pixels(), try TestImage.solid(.pureBlue, 3, 3).pixels(),
        ])
        #expect(pixels.size == PixelSize(11, 5))
        #expect(pixels[2, 2] == .pureRed)
        #expect(pixels[1, 2] == .clear)
        #expect(pixels[7, 1] == .pureBlue)
        #expect(pixels[6, 1] == .clear)
        #expect(pixels[5, 2] == .clear)
    }

    @Test func whatIsTooLargeIsCutOff() throws {
        let sheet = ContactSheet(count: 2, canvas: PixelSize(9, 4), gap: 1)
        let pixels = try sheet.compose([try TestImage.solid(.pureRed, 50, 50).pixels()])
        #expect(pixels[3, 3] == .pureRed)
        #expect(pixels[4, 3] == .clear)
        #expect(pixels[5, 3] == .clear)
    }

    @Test func noImagesAreAnEmptySheet() {
        #expect(ContactSheet(count: 0, canvas: PixelSize(10, 10), gap: 1).cell == PixelSize(10, 10))
    }
}
