#if Server
import EaselCodecs
import EaselCore
import EaselTesting
import Foundation

/// Images that do not compress, and animations.
enum Noise {
    /// Returns a GIF whose frames have different colors.
    static func animation(width: Int, height: Int, frameCount: Int) throws -> Data {
        let frames = AnimationFrames(
            durations: [Duration](repeating: .milliseconds(100), count: frameCount), size: PixelSize(width, height),
            loopCount: 0, isOpaque: true
        ) { (index) throws(ImageError) in
            let shade = UInt8(index * 60 + 20)
            let color = ImageColor(red: shade, green: 255 - shade, blue: shade)
            return try TestImage.solid(color, width, height).pixels()
        }
        guard let encoder = CoderRegistry.standard().encoder(for: .gif) as? any AnimationEncoding else {
            throw CocoaError(.featureUnsupported)
        }
        return try encoder.encode(frames, EncodeOptions())
    }

    /// Returns a PNG of about `byteCount` bytes.
    static func png(_ byteCount: Int) throws -> Data {
        let side = max(8, Int(Double(byteCount / 3).squareRoot()))
        var random = UInt64(0x9E37_79B9_7F4A_7C15)
        let pixels = try PixelBuffer(size: PixelSize(side, side), isOpaque: true) { bytes, bytesPerRow in
            for y in 0..<side {
                for x in 0..<side {
                    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    let start = y * bytesPerRow + x * 4
                    bytes[start] = UInt8(truncatingIfNeeded: random >> 33)
                    bytes[start + 1] = UInt8(truncatingIfNeeded: random >> 41)
                    bytes[start + 2] = UInt8(truncatingIfNeeded: random >> 49)
                    bytes[start + 3] = 255
                }
            }
        }
        guard let encoder = CoderRegistry.standard().encoder(for: .png) else { throw CocoaError(.featureUnsupported) }
        return try encoder.encode(DecodedImage(pixels: pixels, metadata: ImageMetadata()), EncodeOptions())
    }
}
#endif
