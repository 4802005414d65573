public import EaselCore

/// How far two images are apart, channel by channel of their premultiplied pixels.
///
/// ```swift
/// #expect(shown.difference(from: golden) <= .tolerance(1))
/// ```
///
/// The description says what a person needs to know when that fails.
public struct PixelDifference: Sendable, Hashable {
    /// A place in an image, counted from the top left.
    public struct Place: Sendable, Hashable {
        /// Pixels from the left.
        public let x: Int
        /// Pixels from the top.
        public let y: Int
        /// What is there.
        public let actual: Pixel
        /// What should be there.
        public let expected: Pixel
    }

    /// The size of the image that was looked at.
    public let size: PixelSize
    /// The size that it should have. Where it differs no pixels were compared, and the rest says 255 everywhere.
    public let expectedSize: PixelSize
    /// The largest difference of a channel: 0 to 255.
    public let maximum: Int
    /// The mean difference over all channels of all pixels: 0 to 255.
    public let mean: Double
    /// How many pixels differ in any channel.
    public let pixels: Int
    /// The first place, row by row, with the largest difference; `nil` where there is none.
    public let worst: Place?

    /// Compares all pixels of two images.
    public init(_ actual: PixelBuffer, _ expected: PixelBuffer) {
        size = actual.size
        expectedSize = expected.size
        var tally = Tally()
        guard actual.size == expected.size else {
            (maximum, mean, pixels, worst) = (255, 255, actual.size.area ?? Int.max, nil)
            return
        }
        for y in 0..<actual.height { tally.add(row: y, of: actual, expected) }
        maximum = tally.maximum
        mean = Double(tally.sum) / Double(actual.width * actual.height * 4)
        pixels = tally.pixels
        worst = tally.worst.map { Place(x: $0.x, y: $0.y, actual: actual[$0.x, $0.y], expected: expected[$0.x, $0.y]) }
    }

    /// Whether the images are at most that far apart.
    public static func <= (difference: PixelDifference, tolerance: PixelTolerance) -> Bool {
        difference.size == difference.expectedSize && difference.maximum <= tolerance.maximum
            && difference.mean <= tolerance.mean
    }
}

extension PixelDifference {
    /// What has been found in the rows so far.
    private struct Tally {
        var maximum = 0
        var sum = 0
        var pixels = 0
        var worst: (x: Int, y: Int)?

        mutating func add(row y: Int, of actual: PixelBuffer, _ expected: PixelBuffer) {
            actual.withUnsafeBytes { first in
                expected.withUnsafeBytes { second in
                    for x in 0..<actual.width {
                        let difference =
                            Self.pixel(first, y * actual.bytesPerRow + x * 4)
                            &- Self.pixel(second, y * expected.bytesPerRow + x * 4)
                        add(difference.replacing(with: 0 &- difference, where: difference .< 0), x, y)
                    }
                }
            }
        }

        private static func pixel(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> SIMD4<Int16> {
            SIMD4(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self))
        }

        private mutating func add(_ difference: SIMD4<Int16>, _ x: Int, _ y: Int) {
            sum += Int(difference.wrappedSum())
            let largest = Int(difference.max())
            if largest > 0 { pixels += 1 }
            guard largest > maximum else { return }
            maximum = largest
            worst = (x, y)
        }
    }
}

extension PixelDifference: CustomStringConvertible {
    /// One line for a test's report.
    public var description: String {
        guard size == expectedSize else { return "\(size) pixels in place of \(expectedSize)" }
        guard let worst else { return "no difference" }
        return "\(pixels) of \(size) pixels differ, by \(mean) in the mean and \(maximum) at most: at \(worst.x), "
            + "\(worst.y) is \(Self.text(worst.actual)) in place of \(Self.text(worst.expected))"
    }

    private static func text(_ pixel: Pixel) -> String {
        "(r \(pixel.red), g \(pixel.green), b \(pixel.blue), a \(pixel.alpha))"
    }
}

/// How far two images may be apart to pass for equal.
public struct PixelTolerance: Sendable, Hashable {
    /// The most that any channel may differ: 0 to 255.
    public var maximum: Int
    /// The most that all channels may differ in the mean: 0 to 255.
    public var mean: Double

    /// No difference at all.
    public static let exact = PixelTolerance(maximum: 0, mean: 0)

    /// At most `maximum` in any channel, and at most `mean` over all of them, which bounds nothing unless it is given.
    public static func tolerance(_ maximum: Int, mean: Double = 255) -> PixelTolerance {
        PixelTolerance(maximum: maximum, mean: mean)
    }
}

extension PixelBuffer {
    /// How far these pixels are from those that they should be.
    public func difference(from expected: PixelBuffer) -> PixelDifference { PixelDifference(self, expected) }
}

extension DecodedImage {
    /// How far the pixels are from those that they should be. Scale and metadata are not looked at.
    public func difference(from expected: DecodedImage) -> PixelDifference { pixels.difference(from: expected.pixels) }

    /// How far the pixels are from those of an image that is computed.
    ///
    /// - Throws: `ImageError.tooLarge` for a size that does not fit the machine.
    public func difference(from expected: TestImage) throws(ImageError) -> PixelDifference {
        pixels.difference(from: try expected.pixels())
    }
}
