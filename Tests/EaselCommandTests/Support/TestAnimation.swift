import EaselCodecs
import EaselCore
import EaselTesting
import Foundation

/// Animations to be played.
enum TestAnimation {
    /// Checkerboards, each 20 ms long, for ever.
    static func gif(frames: Int, of size: PixelSize) throws -> Data {
        let frames = AnimationFrames(count: frames, size: size, loopCount: 0, isOpaque: true) {
            (index) throws(ImageError) in
            AnimationFrames.Frame(
                pixels: try TestImage.checkerboard(size.width, size.height, square: index + 1).pixels(),
                duration: .milliseconds(20))
        }
        return try GIFCoder().encode(frames, EncodeOptions())
    }
}
