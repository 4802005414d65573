import EaselTesting
import Testing

@testable import EaselCore

@Suite("Transformed animations (S087, X010)")
struct TransformedAnimationTests {
    /// A decoder of grey frames that counts the decoded ones.
    private final class Frames: AnimationDecoder {
        let given = Counter()
        let header = ImageHeader(
            format: ImageFormat("test", signatures: []), storedSize: PixelSize(4, 2), frameCount: 3, loopCount: 0,
            frameDurations: [.seconds(1), .seconds(2), .seconds(3)])

        func frame(_ index: Int, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
            guard index < 3 else { throw .unsupported("There is no such frame.") }
            given.add()
            let level = UInt8(index * 100)
            let pixel = Pixel(blue: level, green: level, red: level, alpha: 255)
            return try TestImage.solid(pixel, 4, 2).image()
        }
    }

    @Test("a frame is transformed only when it is decoded")
    func lazy() throws {
        let frames = Frames()
        let applied = Counter()
        let count = ImageTransform.custom("count") {
            applied.add()
            return $0
        }
        let animation = frames.applying([.invert, count, .cropToSquare])
        #expect(frames.given.count == 0)
        let frame = try animation.frame(2) { false }
        #expect(frame.size == PixelSize(2, 2) && frame.pixels[0, 0].green == 55)
        #expect(frames.given.count == 1 && applied.count == 1)
        #expect(animation.header == frames.header)
        #expect(throws: ImageError.unsupported("There is no such frame.")) { try animation.frame(3) { false } }
        #expect(throws: ImageError.cancelled) { try animation.frame(0) { true } }
    }
}
