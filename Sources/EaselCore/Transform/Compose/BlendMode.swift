/// How a picture or a colour, the source, is laid over a picture, the destination. The names and the formulas are those of
/// the W3C's *Compositing and Blending Level 1*; Porter and Duff's operators come first, then the separable blend modes.
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
    /// The distance of both.
    case difference
    /// A gentler difference.
    case exclusion
}
