/// How an image or a color, the source, is composed with an image, the destination. Names and formulas are those of the
/// W3C's *Compositing and Blending Level 1*: Porter and Duff's operators, then the separable blend modes.
public enum BlendMode: String, Sendable, Hashable, CaseIterable {
    /// Nothing.
    case clear
    /// The source alone.
    case source
    /// The destination alone.
    case destination
    /// The source over the destination.
    case sourceOver
    /// The destination over the source.
    case destinationOver
    /// The source where the destination is.
    case sourceIn
    /// The destination where the source is.
    case destinationIn
    /// The source where the destination is not.
    case sourceOut
    /// The destination where the source is not.
    case destinationOut
    /// The destination, with the source over it where it is.
    case sourceAtop
    /// The source, with the destination over it where it is.
    case destinationAtop
    /// Each where the other is not.
    case xor
    /// The sum.
    case plus
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
    /// Brightens the destination to reflect the source.
    case colorDodge
    /// Darkens the destination to reflect the source.
    case colorBurn
    /// Multiply where the source is dark, screen where it is light.
    case hardLight
    /// A gentler hard light.
    case softLight
    /// The difference of both.
    case difference
    /// A gentler difference.
    case exclusion

    /// Whether the result is opaque wherever the destination is.
    var keepsOpacity: Bool {
        switch self {
        case .clear, .source, .sourceIn, .destinationIn, .sourceOut, .destinationOut, .destinationAtop, .xor: false
        default: true
        }
    }
}

extension BlendMode {
    /// Composes two premultiplied words. No color exceeds its alpha.
    @inline(__always)
    func blend(_ source: UInt32, _ destination: UInt32) -> UInt32 {
        if self == .sourceOver { return PremultipliedPixel.over(source, destination) }
        let (s, d) = (PremultipliedPixel.components(source), PremultipliedPixel.components(destination))
        if let factors = factors(s.w, d.w) {
            return PremultipliedPixel.word(Self.divideBy255(s &* factors.source &+ d &* factors.destination))
        }
        let outside = s &* (255 &- d.w) &+ d &* (255 &- s.w)
        let inside = SIMD4(
            blend(s.x, d.x, s.w, d.w), blend(s.y, d.y, s.w, d.w), blend(s.z, d.z, s.w, d.w), s.w &* d.w)
        return PremultipliedPixel.word(Self.divideBy255(outside &+ inside))
    }

    /// Divides sums of products of two bytes, rounded; only `plus` can exceed a byte.
    @inline(__always)
    private static func divideBy255(_ sums: SIMD4<Int32>) -> SIMD4<Int32> {
        let limited = sums.replacing(with: 65_025, where: sums .> 65_025)
        let half = limited &+ 128
        return (half &+ (half &>> 8)) &>> 8
    }

    /// The factors of both sides in 255ths (Porter and Duff 1984), or `nil` for a blend mode.
    @inline(__always)
    private func factors(_ source: Int32, _ destination: Int32) -> (source: Int32, destination: Int32)? {
        switch self {
        case .clear: (0, 0)
        case .source: (255, 0)
        case .destination: (0, 255)
        case .sourceOver: (255, 255 &- source)
        case .destinationOver: (255 &- destination, 255)
        case .sourceIn: (destination, 0)
        case .destinationIn: (0, source)
        case .sourceOut: (255 &- destination, 0)
        case .destinationOut: (0, 255 &- source)
        case .sourceAtop: (destination, 255 &- source)
        case .destinationAtop: (255 &- destination, source)
        case .xor: (255 &- destination, 255 &- source)
        case .plus: (255, 255)
        default: nil
        }
    }

    /// A component where source and destination overlap: the product of the alphas times the mode's function of the colors, in
    /// 255ths of 255ths. At most the product of the alphas.
    @inline(__always)
    private func blend(_ s: Int32, _ d: Int32, _ sa: Int32, _ da: Int32) -> Int32 {
        switch self {
        case .multiply: s &* d
        case .screen: s &* da &+ d &* sa &- s &* d
        case .overlay: Self.hardLight(d, s, da, sa)
        case .darken: min(s &* da, d &* sa)
        case .lighten: max(s &* da, d &* sa)
        case .colorDodge: Self.dodge(s, d, sa, da)
        case .colorBurn: sa &* da &- Self.dodge(sa &- s, da &- d, sa, da)
        case .hardLight: Self.hardLight(s, d, sa, da)
        case .softLight: Self.softLight(s, d, sa, da)
        case .difference: abs(s &* da &- d &* sa)
        case .exclusion: s &* da &+ d &* sa &- 2 &* s &* d
        default: 0
        }
    }

    @inline(__always)
    private static func hardLight(_ s: Int32, _ d: Int32, _ sa: Int32, _ da: Int32) -> Int32 {
        2 &* s <= sa ? 2 &* s &* d : sa &* da &- 2 &* (sa &- s) &* (da &- d)
    }

    /// Burning is dodging of the inverses.
    @inline(__always)
    private static func dodge(_ s: Int32, _ d: Int32, _ sa: Int32, _ da: Int32) -> Int32 {
        if d == 0 { return 0 }
        if s >= sa { return sa &* da }
        return min(sa &* da, d &* sa &* sa / (sa &- s))
    }

    private static func softLight(_ s: Int32, _ d: Int32, _ sa: Int32, _ da: Int32) -> Int32 {
        if da == 0 { return 0 }
        if 2 &* s <= sa { return sa &* d &- (sa &- 2 &* s) &* d &* (da &- d) / da }
        // The W3C's D(Cb) times the destination's alpha, in 256ths.
        let curve: Int64
        let (color, alpha) = (Int64(d), Int64(da))
        if 4 &* d <= da {
            curve =
                256 * (16 * color * color * color - 12 * color * color * alpha + 4 * color * alpha * alpha)
                / (alpha * alpha)
        } else {
            curve = Int64((Double(color * alpha) * 65_536).squareRoot())
        }
        let gain = Int64(2 &* s &- sa) * (curve - 256 * color) / 256
        return min(sa &* da, sa &* d &+ Int32(truncatingIfNeeded: gain))
    }
}
