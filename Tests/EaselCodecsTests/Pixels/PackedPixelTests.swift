import EaselCore
import Testing

@testable import EaselCodecs

@Suite("Pixels: arithmetic")
struct PackedPixelTests {
    @Test("premultiplying rounds to nearest for every component and alpha")
    func premultiply() {
        let wrong = countWrongPairs { component, alpha in
            let pixel = PackedPixel.premultiplied(
                red: component, green: component, blue: component, alpha: alpha)
            let expected = UInt32((Double(component) * Double(alpha) / 255).rounded())
            return pixel != (UInt32(alpha) << 24 | expected << 16 | expected << 8 | expected)
        }
        #expect(wrong == 0)
    }

    @Test("premultiplying reverses the division by alpha")
    func straighten() {
        let wrong = countWrongPairs { component, alpha in
            guard component <= alpha else { return false }
            let stored = UInt32(alpha) << 24 | UInt32(component) << 8
            let straight = PremultipliedPixel.unpremultiply(stored)
            let again = PackedPixel.premultiplied(
                red: 0, green: UInt8(straight >> 8 & 0xFF), blue: 0, alpha: UInt8(straight >> 24))
            return again != stored
        }
        #expect(wrong == 0)
    }

    @Test("drawing over is source + destination * (1 - alpha), without carry into a neighbor")
    func over() {
        let wrong = countWrongPairs { component, alpha in
            guard component <= alpha else { return false }
            let source = UInt32(alpha) << 24 | UInt32(component) << 16 | UInt32(component)
            let remaining = (255.0 * Double(255 - Int(alpha)) / 255).rounded()
            let expected = UInt32(component) + UInt32(remaining)
            let result = PackedPixel.over(source, 0xFFFF_FFFF)
            return result != (255 << 24 | expected << 16 | UInt32(remaining) << 8 | expected)
        }
        #expect(wrong == 0)
    }

    /// Returns the number of pairs of a component and an alpha that are wrong.
    private func countWrongPairs(isWrong: (UInt8, UInt8) -> Bool) -> Int {
        var count = 0
        for component in UInt8.min...UInt8.max {
            for alpha in UInt8.min...UInt8.max where isWrong(component, alpha) { count += 1 }
        }
        return count
    }
}
