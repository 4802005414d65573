import EaselCore
import EaselTesting
import Testing

@Suite("Comparing images")
struct PixelDifferenceTests {
    private let grey = Pixel(blue: 100, green: 100, red: 100, alpha: 255)

    @Test("Equal images have no difference")
    func equal() throws {
        let image = try TestImage.gradient(5, 3).image()
        let difference = image.difference(from: try TestImage.gradient(5, 3).image())
        #expect(difference <= .exact)
        #expect(difference.description == "no difference")
    }

    @Test("A difference is within an equal tolerance and not within a smaller one")
    func tolerance() throws {
        let actual = try TestImage.solid(grey, 4, 4).image()
        let other = TestImage.solid(Pixel(blue: 100, green: 103, red: 100, alpha: 255), 4, 4)
        let difference = try actual.difference(from: other)
        #expect(difference <= .tolerance(3))
        #expect(!(difference <= .tolerance(2)))
        #expect(!(difference <= .tolerance(3, mean: 0.5)))
        #expect(difference.mean == 0.75)
        #expect(difference.pixels == 16)
    }

    @Test("The description has the worst pixel with its actual and expected value")
    func worst() throws {
        let actual = try TestImage.checkerboard(4, 2, square: 2, first: grey, second: grey).image()
        let other = TestImage.checkerboard(
            4, 2, square: 2, first: grey, second: Pixel(blue: 100, green: 100, red: 90, alpha: 255))
        let difference = try actual.difference(from: other)
        #expect(difference.worst?.x == 2 && difference.worst?.y == 0)
        #expect(
            difference.description
                == "4 of 4 x 2 pixels differ, by 1.25 on average and 10 at most: at 2, 0 is "
                + "(r 100, g 100, b 100, a 255) instead of (r 90, g 100, b 100, a 255)")
    }

    @Test("Images of different sizes are within no tolerance")
    func sizes() throws {
        let difference = try TestImage.solid(grey, 4, 4).image().difference(from: TestImage.solid(grey, 4, 5))
        #expect(!(difference <= .tolerance(255)))
        #expect(difference.description == "4 x 4 pixels instead of 4 x 5")
    }
}
