import EaselCodecs
import EaselCore
import Foundation

/// An incompressible image.
enum Noise {
    /// Returns the same file of about 360,000 bytes each time.
    static func png() throws -> Data {
        let pixels = try PixelBuffer(size: PixelSize(400, 300), isOpaque: true) { bytes, _ in
            var state: UInt32 = 1
            for index in 0..<bytes.count {
                state = state &* 1_664_525 &+ 1_013_904_223
                bytes[index] = index % 4 == 3 ? 255 : UInt8(state >> 24)
            }
        }
        return try PNGCoder().encode(
            DecodedImage(pixels: pixels, metadata: ImageMetadata()), EncodeOptions())
    }
}
