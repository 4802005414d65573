/// A width and a height in whole pixels.
public struct PixelSize: Sendable, Hashable {
    /// Pixels across.
    public var width: Int
    /// Pixels down.
    public var height: Int

    /// A size of `width` by `height` pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// A size of `width` by `height` pixels.
    public init(_ width: Int, _ height: Int) {
        self.init(width: width, height: height)
    }

    /// The number of pixels, or `nil` where the product of a hostile header's sides overflows or a side is negative.
    public var area: Int? {
        guard width >= 0, height >= 0 else { return nil }
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? nil : product
    }

    /// The same picture lying on its side.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }
}

extension PixelSize: CustomStringConvertible {
    /// `width x height`, as a person writes it.
    public var description: String { "\(width) x \(height)" }
}
