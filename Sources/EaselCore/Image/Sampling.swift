/// From which size to which a picture was decoded, before any transform.
public struct Sampling: Sendable, Hashable {
    /// The size of the upright original.
    public var original: PixelSize
    /// The size that it was decoded to.
    public var decoded: PixelSize

    /// A picture of `original` pixels, decoded to `decoded`.
    public init(original: PixelSize, decoded: PixelSize) {
        self.original = original
        self.decoded = decoded
    }

    /// Whether a picture that was decoded so does for a request of another size.
    ///
    /// The very pixels that are asked for always do: since nothing is scaled up, that is so for an original that is no
    /// larger than any box (B17), and for boxes of other shapes in which the picture has the same size. A larger picture of
    /// the same proportions, or one that is a single pixel short, does where `precision` is `atLeast` (B16).
    public func answers(_ target: TargetSize, _ precision: SizePrecision) -> Bool {
        let wanted = target.size(for: original)
        if decoded == wanted { return true }
        guard precision == .atLeast else { return false }
        return decoded.width >= wanted.width - 1 && decoded.height >= wanted.height - 1 && hasProportions(of: wanted)
    }

    /// As far as whole pixels can tell: each side may be off by one.
    private func hasProportions(of size: PixelSize) -> Bool {
        let (width, height) = (Double(decoded.width), Double(decoded.height))
        let slack = width + height + Double(size.width) + Double(size.height)
        return abs(width * Double(size.height) - height * Double(size.width)) <= slack
    }
}

/// How exactly a picture in memory has to have the size that is asked for. Coil's word for it (B16).
public enum SizePrecision: Sendable, Hashable, CaseIterable {
    /// The pixels that decoding to that size gives, no more and no less.
    case exact
    /// Those, or more of the same picture, which a view scales down as it draws.
    case atLeast
}
