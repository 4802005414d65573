import EaselCodecs
import EaselCore
import EaselTesting
import Foundation

/// Animations for tests.
enum TestAnimation {
    /// Returns an endless animation of checkerboards of 20 ms each.
    static func gif(frames: Int, of size: PixelSize) throws -> Data {
        let durations = [Duration](repeating: .milliseconds(20), count: frames)
        let frames = AnimationFrames(durations: durations, size: size, loopCount: 0, isOpaque: true) {
            (index) throws(ImageError) in
            try TestImage.checkerboard(size.width, size.height, square: index + 1).pixels()
        }
        return try GIFCoder().encode(frames, EncodeOptions())
    }
}
