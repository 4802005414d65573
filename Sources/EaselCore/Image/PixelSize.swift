/// A width and a height in whole pixels.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates a size of `width` by `height` pixels.
    public init(_ width: Int, _ height: Int) {
        self.width = width
        self.height = height
    }

    /// `width x height`.
    public var description: String { "\(width) x \(height)" }

    /// The number of pixels, or `nil` if the product overflows or a side is negative.
    package var area: Int? {
        guard width >= 0, height >= 0 else { return nil }
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? nil : product
    }

    var transposed: PixelSize { PixelSize(height, width) }
}

/// The orientation of a stored image: the eight values of EXIF's tag 0x0112.
///
/// Decoders apply the orientation, so that every `PixelBuffer` is upright. The metadata keeps it.
public enum ImageOrientation: Int, Sendable, Hashable, CaseIterable {
    /// Stored as shown.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Rotated by half a turn.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored along the diagonal from top left.
    case leftMirrored = 5
    /// To be rotated a quarter clockwise.
    case right = 6
    /// Mirrored along the diagonal from top right.
    case rightMirrored = 7
    /// To be rotated a quarter counter-clockwise.
    case left = 8

    var swapsSides: Bool { rawValue >= 5 }

    /// Returns the size of the upright image for a stored one.
    package func upright(_ stored: PixelSize) -> PixelSize { swapsSides ? stored.transposed : stored }
}

/// The original and the decoded size of an upright image, before any transform.
package struct Sampling: Sendable, Hashable {
    package var original: PixelSize
    package var decoded: PixelSize

    /// Returns whether an image of this sampling satisfies a request for another target size.
    ///
    /// An image of exactly the requested pixels always does. Since nothing is scaled up, that includes an original that
    /// is no larger than the box. With `atLeast`, a larger image of the same proportions, or one that is a pixel short,
    /// does too.
    package func answers(_ target: TargetSize, _ precision: SizePrecision) -> Bool {
        let required = target.size(for: original)
        if decoded == required { return true }
        guard precision == .atLeast, decoded.width >= required.width - 1, decoded.height >= required.height - 1 else {
            return false
        }
        // The proportions are equal if each side is off by at most one.
        let (width, height) = (Double(decoded.width), Double(decoded.height))
        let slack = width + height + Double(required.width) + Double(required.height)
        return abs(width * Double(required.height) - height * Double(required.width)) <= slack
    }
}

/// The required match of an image in memory with the requested size.
public enum SizePrecision: Sendable, Hashable, CaseIterable {
    /// Exactly the pixels that decoding to the size results in.
    case exact
    /// Those, or more pixels of the same image, which a view scales down as it draws.
    case atLeast
}
