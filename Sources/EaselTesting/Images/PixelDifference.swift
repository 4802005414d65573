public import EaselCore

/// The difference of two images, by channels of their premultiplied pixels.
///
/// ```swift
/// #expect(image.difference(from: golden) <= .tolerance(1))
/// ```
///
/// The description explains a failed expectation.
public struct PixelDifference: Sendable, Hashable {
    /// A position in an image, from the top left. The description of the difference has its colors.
    public struct Position: Sendable, Hashable {
        /// The pixels from the left.
        public let x: Int
        /// The pixels from the top.
        public let y: Int
        /// The pixel in the image.
        package let actual: Pixel
        /// The expected pixel.
        package let expected: Pixel
    }

    /// The size of the image.
    public let size: PixelSize
    /// The expected size. If it differs, no pixels are compared, and all differences are 255.
    public let expectedSize: PixelSize
    /// The largest difference of a channel, 0 to 255.
    public let maximum: Int
    /// The mean difference over all channels of all pixels, 0 to 255.
    public let mean: Double
    /// The number of pixels that differ in any channel.
    public let pixels: Int
    /// The first position, row by row, with the largest difference; `nil` if there is none.
    public let worst: Position?

    /// Compares all pixels of two images.
    public init(_ actual: PixelBuffer, _ expected: PixelBuffer) {
        size = actual.size
        expectedSize = expected.size
        guard actual.size == expected.size else {
            (maximum, mean, pixels, worst) = (255, 255, actual.size.area ?? Int.max, nil)
            return
        }
        var (maximum, sum, pixels) = (0, 0, 0)
        var worst: Position?
        actual.withUnsafeBytes { first in
            expected.withUnsafeBytes { second in
                for y in 0..<actual.height {
                    for x in 0..<actual.width {
                        let signed =
                            Self.pixel(first, y * actual.bytesPerRow + x * 4)
                            &- Self.pixel(second, y * expected.bytesPerRow + x * 4)
                        let difference = signed.replacing(with: 0 &- signed, where: signed .< 0)
                        sum += Int(difference.wrappedSum())
                        let largest = Int(difference.max())
                        if largest > 0 { pixels += 1 }
                        guard largest > maximum else { continue }
                        maximum = largest
                        worst = Position(x: x, y: y, actual: actual[x, y], expected: expected[x, y])
                    }
                }
            }
        }
        mean = Double(sum) / Double(actual.width * actual.height * 4)
        (self.maximum, self.pixels, self.worst) = (maximum, pixels, worst)
    }

    private static func pixel(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> SIMD4<Int16> {
        SIMD4(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self))
    }

    /// Returns whether the difference is within a tolerance.
    public static func <= (difference: PixelDifference, tolerance: PixelTolerance) -> Bool {
        difference.size == difference.expectedSize && difference.maximum <= tolerance.maximum
            && difference.mean <= tolerance.mean
    }
}

extension PixelDifference: CustomStringConvertible {
    /// A single line for a test's report.
    public var description: String {
        guard size == expectedSize else { return "\(size) pixels instead of \(expectedSize)" }
        guard let worst else { return "no difference" }
        return "\(pixels) of \(size) pixels differ, by \(mean) on average and \(maximum) at most: at \(worst.x), "
            + "\(worst.y) is \(Self.describe(worst.actual)) instead of \(Self.describe(worst.expected))"
    }

    private static func describe(_ pixel: Pixel) -> String {
        "(r \(pixel.red), g \(pixel.green), b \(pixel.blue), a \(pixel.alpha))"
    }
}

/// The maximum difference of two images that are considered equal.
public struct PixelTolerance: Sendable, Hashable {
    /// The maximum difference of any channel, 0 to 255.
    public var maximum: Int
    /// The maximum mean difference of all channels, 0 to 255.
    public var mean: Double

    /// No difference.
    public static let exact = PixelTolerance(maximum: 0, mean: 0)

    /// Returns a tolerance of `maximum` for each channel and `mean` on average. The default mean sets no limit.
    public static func tolerance(_ maximum: Int, mean: Double = 255) -> PixelTolerance {
        PixelTolerance(maximum: maximum, mean: mean)
    }
}

extension PixelBuffer {
    /// Returns the difference from the expected pixels.
    public func difference(from expected: PixelBuffer) -> PixelDifference { PixelDifference(self, expected) }
}

extension DecodedImage {
    /// Returns the difference from the expected pixels. Ignores scale and metadata.
    public func difference(from expected: DecodedImage) -> PixelDifference { pixels.difference(from: expected.pixels) }

    /// Returns the difference from a computed image.
    ///
    /// - Throws: `ImageError.tooLarge` if the size overflows.
    public func difference(from expected: TestImage) throws(ImageError) -> PixelDifference {
        pixels.difference(from: try expected.pixels())
    }
}
