/// A rule for composing an image or a color, the source, with an image, the destination. Names and formulas are those
/// of the W3C's *Compositing and Blending Level 1*: Porter and Duff's operators, then the separable blend modes.
public enum BlendMode: String, Sendable, Hashable, CaseIterable {
    /// The source over the destination.
    case sourceOver
    /// The source where the destination is.
    case sourceIn
    /// The destination, with the source over it where it is.
    case sourceAtop
    /// The product: darker.
    case multiply
    /// The product of the inverses: lighter.
    case screen
    /// Multiply where the destination is dark, screen where it is light.
    case overlay
    /// The darker of both, component by component.
    case darken
    /// The lighter of both, component by component.
    case lighten

    /// Whether the result is opaque wherever the destination is.
    var keepsOpacity: Bool { self != .sourceIn }
}

extension BlendMode {
    /// Composes two premultiplied words. No color exceeds its alpha.
    @inline(__always)
    func blend(_ source: UInt32, _ destination: UInt32) -> UInt32 {
        if self == .sourceOver { return PremultipliedPixel.over(source, destination) }
        let (s, d) = (PremultipliedPixel.components(source), PremultipliedPixel.components(destination))
        switch self {
        case .sourceIn: return PremultipliedPixel.word(Self.divideBy255(s &* d.w))
        case .sourceAtop: return PremultipliedPixel.word(Self.divideBy255(s &* d.w &+ d &* (255 &- s.w)))
        default: break
        }
        let outside = s &* (255 &- d.w) &+ d &* (255 &- s.w)
        let inside = SIMD4(
            blend(s.x, d.x, s.w, d.w), blend(s.y, d.y, s.w, d.w), blend(s.z, d.z, s.w, d.w), s.w &* d.w)
        return PremultipliedPixel.word(Self.divideBy255(outside &+ inside))
    }

    /// Divides sums of products of two bytes, rounded.
    @inline(__always)
    private static func divideBy255(_ sums: SIMD4<Int32>) -> SIMD4<Int32> {
        let half = sums &+ 128
        return (half &+ (half &>> 8)) &>> 8
    }

    /// A component where source and destination overlap: the product of the alphas times the mode's function of the
    /// colors, in 255ths of 255ths. At most the product of the alphas.
    @inline(__always)
    private func blend(_ s: Int32, _ d: Int32, _ sa: Int32, _ da: Int32) -> Int32 {
        switch self {
        case .multiply: s &* d
        case .screen: s &* da &+ d &* sa &- s &* d
        case .overlay: 2 &* d <= da ? 2 &* s &* d : sa &* da &- 2 &* (sa &- s) &* (da &- d)
        case .darken: min(s &* da, d &* sa)
        case .lighten: max(s &* da, d &* sa)
        case .sourceOver, .sourceIn, .sourceAtop: 0
        }
    }
}
