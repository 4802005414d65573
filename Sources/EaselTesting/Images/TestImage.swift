public import EaselFoundation
import EaselCodecs
public import EaselCore

/// A small image that is computed, so that every test sees the same pixels and no file is needed.
public struct TestImage: Sendable, Hashable {
    private enum Pattern: Sendable, Hashable {
        case gradient
        case solid(Pixel)
        case checkerboard(Pixel, Pixel, square: Int)
    }

    /// Pixels across and down.
    public let size: PixelSize
    private let pattern: Pattern

    private init(_ width: Int, _ height: Int, _ pattern: Pattern) {
        size = PixelSize(max(1, width), max(1, height))
        self.pattern = pattern
    }

    /// Red grows from left to right, green from top to bottom, blue is 128; opaque. Sides are at least 1.
    public static func gradient(_ width: Int, _ height: Int) -> TestImage {
        TestImage(width, height, .gradient)
    }

    /// One colour everywhere. Sides are at least 1.
    public static func solid(_ pixel: Pixel, _ width: Int, _ height: Int) -> TestImage {
        TestImage(width, height, .solid(pixel))
    }

    /// Squares of `square` pixels, the first at the top left; opaque black and white unless said otherwise.
    public static func checkerboard(
        _ width: Int, _ height: Int, square: Int = 8, first: Pixel = Pixel(blue: 0, green: 0, red: 0, alpha: 255),
        second: Pixel = Pixel(blue: 255, green: 255, red: 255, alpha: 255)
    ) -> TestImage {
        TestImage(width, height, .checkerboard(first, second, square: max(1, square)))
    }

    /// The pixel at a place; the same formula for every size.
    public subscript(x: Int, y: Int) -> Pixel {
        switch pattern {
        case .gradient:
            Pixel(
                blue: 128, green: Self.share(y, of: size.height), red: Self.share(x, of: size.width), alpha: 255)
        case .solid(let pixel): pixel
        case .checkerboard(let first, let second, let square): (x / square + y / square) % 2 == 0 ? first : second
        }
    }

    /// The pixels.
    ///
    /// - Throws: `ImageError.tooLarge` for a size that does not fit the machine.
    public func pixels() throws(ImageError) -> PixelBuffer {
        try .drawn(size.width, size.height, isOpaque: isOpaque) { self[$0, $1] }
    }

    /// The image at a scale of 1, with the metadata of one that was made and not decoded.
    ///
    /// - Throws: `ImageError.tooLarge` for a size that does not fit the machine.
    public func image() throws(ImageError) -> DecodedImage {
        DecodedImage(pixels: try pixels(), metadata: ImageMetadata())
    }

    private var isOpaque: Bool {
        switch pattern {
        case .gradient: true
        case .solid(let pixel): pixel.alpha == 255
        case .checkerboard(let first, let second, _): first.alpha == 255 && second.alpha == 255
        }
    }

    private static func share(_ position: Int, of length: Int) -> UInt8 {
        length < 2 ? 0 : UInt8(truncatingIfNeeded: position * 255 / (length - 1))
    }
}

extension TestImage {
    /// The bytes of a file that holds the image, written by Easel's own encoders. Blocks.
    ///
    /// - Throws: `ImageError.unsupported` for a format that they cannot write.
    public func encoded(as format: ImageFormat = .png, _ options: EncodeOptions = EncodeOptions()) throws(ImageError)
        -> Data
    {
        guard let encoder = CoderRegistry.standard().encoder(for: format) else {
            throw .unsupported("There is no encoder for \(format.name).")
        }
        return try encoder.encode(try image(), options)
    }
}

extension PixelBuffer {
    /// An image whose pixels `color` gives, premultiplied, row by row.
    ///
    /// - Throws: `ImageError.tooLarge` for a size that does not fit the machine.
    package static func drawn(
        _ width: Int, _ height: Int, isOpaque: Bool, color: (_ x: Int, _ y: Int) -> Pixel
    ) throws(ImageError) -> PixelBuffer {
        try PixelBuffer(size: PixelSize(width, height), isOpaque: isOpaque) { bytes, bytesPerRow in
            for y in 0..<height {
                for x in 0..<width {
                    let pixel = color(x, y)
                    let start = y * bytesPerRow + x * 4
                    (bytes[start], bytes[start + 1]) = (pixel.blue, pixel.green)
                    (bytes[start + 2], bytes[start + 3]) = (pixel.red, pixel.alpha)
                }
            }
        }
    }
}
