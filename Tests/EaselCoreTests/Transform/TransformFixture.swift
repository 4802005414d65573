import EaselCore
import EaselTesting
import FoundationEssentials
import Testing

/// Images for tests of transforms.
enum TransformFixture {
    /// Returns opaque noise: the high bytes of a 32-bit xorshift with shifts 13, 17, 5 and seed 1, as red, green, blue.
    static func noise(_ width: Int, _ height: Int) throws -> DecodedImage {
        var state: UInt32 = 1
        return try image(width, height, isOpaque: true) { _, _ in
            let levels = (0..<3).map { _ in next(&state) }
            return ImageColor(red: levels[0], green: levels[1], blue: levels[2])
        }
    }

    /// Returns noise with alpha, in which every fourth pixel is clear.
    static func translucentNoise(_ width: Int, _ height: Int) throws -> DecodedImage {
        var state: UInt32 = 7
        return try image(width, height, isOpaque: false) { x, y in
            let levels = (0..<4).map { _ in next(&state) }
            let alpha = (x + y) % 4 == 0 ? 0 : levels[3]
            return ImageColor(red: levels[0], green: levels[1], blue: levels[2], alpha: alpha)
        }
    }

    static func image(
        _ width: Int, _ height: Int, isOpaque: Bool, _ color: (Int, Int) -> ImageColor
    ) throws -> DecodedImage {
        let pixels = try PixelBuffer.drawn(width, height, isOpaque: isOpaque) { color($0, $1).pixel }
        return DecodedImage(pixels: pixels, metadata: ImageMetadata())
    }

    /// Returns an image from another tool, with `channels` bytes for each pixel, red first, not premultiplied.
    static func golden(_ base64: String, _ width: Int, _ height: Int, channels: Int) throws -> DecodedImage {
        let bytes = Array(try #require(Data(base64Encoded: base64)))
        try #require(bytes.count == width * height * channels)
        return try image(width, height, isOpaque: channels == 3) { x, y in
            let start = (y * width + x) * channels
            return ImageColor(
                red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2],
                alpha: channels == 4 ? bytes[start + 3] : 255)
        }
    }

    private static func next(_ state: inout UInt32) -> UInt8 {
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        return UInt8(state >> 24)
    }
}

extension DecodedImage {
    /// All pixels, row by row.
    var allPixels: [Pixel] {
        (0..<size.height).flatMap { y in (0..<size.width).map { pixels[$0, y] } }
    }
}
