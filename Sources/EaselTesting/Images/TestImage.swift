public import EaselFoundation
import EaselCodecs
public import EaselCore

/// A small computed image, so that every test has the same pixels and needs no file.
public struct TestImage: Sendable, Hashable {
    private enum Pattern: Sendable, Hashable {
        case gradient
        case solid(Pixel)
        case checkerboard(Pixel, Pixel, square: Int)
    }

    /// The size in pixels.
    public let size: PixelSize
    private let pattern: Pattern

    private init(_ width: Int, _ height: Int, _ pattern: Pattern) {
        size = PixelSize(max(1, width), max(1, height))
        self.pattern = pattern
    }

    /// Returns an opaque gradient: red increases to the right, green downwards, blue is 128. Sides are at least 1.
    public static func gradient(_ width: Int, _ height: Int) -> TestImage {
        TestImage(width, height, .gradient)
    }

    /// Returns an image of one color. Sides are at least 1.
    public static func solid(_ color: ImageColor, _ width: Int, _ height: Int) -> TestImage {
        solid(color.pixel, width, height)
    }

    /// Returns an image of one premultiplied pixel.
    package static func solid(_ pixel: Pixel, _ width: Int, _ height: Int) -> TestImage {
        TestImage(width, height, .solid(pixel))
    }

    /// Returns squares of `square` pixels, the first at the top left. Black and white by default.
    public static func checkerboard(
        _ width: Int, _ height: Int, square: Int = 8, first: ImageColor = .black, second: ImageColor = .white
    ) -> TestImage {
        checkerboard(width, height, square: square, first: first.pixel, second: second.pixel)
    }

    /// Returns squares of premultiplied pixels.
    package static func checkerboard(
        _ width: Int, _ height: Int, square: Int = 8, first: Pixel,
        second: Pixel = Pixel(blue: 255, green: 255, red: 255, alpha: 255)
    ) -> TestImage {
        TestImage(width, height, .checkerboard(first, second, square: max(1, square)))
    }

    /// The pixel at a position, by the same formula for every size.
    package subscript(x: Int, y: Int) -> Pixel {
        switch pattern {
        case .gradient:
            Pixel(
                blue: 128, green: Self.component(y, of: size.height), red: Self.component(x, of: size.width),
                alpha: 255)
        case .solid(let pixel): pixel
        case .checkerboard(let first, let second, let square): (x / square + y / square) % 2 == 0 ? first : second
        }
    }

    /// Returns the pixels.
    ///
    /// - Throws: `ImageError.tooLarge` if the size overflows.
    public func pixels() throws(ImageError) -> PixelBuffer {
        try .drawn(size.width, size.height, isOpaque: isOpaque) { self[$0, $1] }
    }

    /// Returns the image at a scale of 1, with the metadata of a generated image.
    ///
    /// - Throws: `ImageError.tooLarge` if the size overflows.
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

    private static func component(_ position: Int, of length: Int) -> UInt8 {
        length < 2 ? 0 : UInt8(truncatingIfNeeded: position * 255 / (length - 1))
    }
}

extension TestImage {
    /// Returns a file with the image, encoded by Easel. Blocks.
    ///
    /// - Throws: `ImageError.unsupported` for a format without an encoder.
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
    /// Returns an image with the premultiplied pixels that `color` returns, row by row.
    ///
    /// - Throws: `ImageError.tooLarge` if the size overflows.
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
