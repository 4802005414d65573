/// How new colours are made of old ones: each new component is a sum of the four old ones, each times a factor, and of an
/// offset. Components go from 0 to 1 and are not premultiplied; what comes out beyond that is cut off.
public struct ColorMatrix: Sendable, Hashable {
    /// What one new component is made of.
    public struct Row: Sendable, Hashable {
        /// How much of the old red.
        public var red: Double
        /// How much of the old green.
        public var green: Double
        /// How much of the old blue.
        public var blue: Double
        /// How much of the old alpha.
        public var alpha: Double
        /// What is added.
        public var offset: Double

        /// Factors and an offset.
        public init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 0, offset: Double = 0) {
            (self.red, self.green, self.blue) = (red, green, blue)
            (self.alpha, self.offset) = (alpha, offset)
        }

        var values: [Double] { [red, green, blue, alpha, offset] }
    }

    /// What the new red is made of.
    public var red: Row
    /// What the new green is made of.
    public var green: Row
    /// What the new blue is made of.
    public var blue: Row
    /// What the new alpha is made of.
    public var alpha: Row

    /// A matrix of four rows; alpha stays as it is unless said otherwise.
    public init(red: Row, green: Row, blue: Row, alpha: Row = Row(0, 0, 0, 1)) {
        (self.red, self.green) = (red, green)
        (self.blue, self.alpha) = (blue, alpha)
    }

    /// Changes nothing.
    public static let identity = ColorMatrix(red: Row(1, 0, 0), green: Row(0, 1, 0), blue: Row(0, 0, 1))

    var rows: [Row] { [red, green, blue, alpha] }
}

extension ColorMatrix {
    /// The weights of Rec. 709 for the luminance, as the W3C's *Filter Effects* rounds them.
    private static let luminance = Row(0.2126, 0.7152, 0.0722)

    /// Adds `amount`, from -1 to 1, to every colour.
    static func brightness(_ amount: Double) -> ColorMatrix {
        ColorMatrix(
            red: Row(1, 0, 0, offset: amount), green: Row(0, 1, 0, offset: amount), blue: Row(0, 0, 1, offset: amount))
    }

    /// Stretches colours around the middle by `factor`.
    static func contrast(_ factor: Double) -> ColorMatrix {
        let offset = 0.5 - 0.5 * factor
        return ColorMatrix(
            red: Row(factor, 0, 0, offset: offset), green: Row(0, factor, 0, offset: offset),
            blue: Row(0, 0, factor, offset: offset))
    }

    /// Moves colours away from their grey by `factor`: 0 is grey, 1 changes nothing.
    static func saturation(_ factor: Double) -> ColorMatrix {
        let rest = 1 - factor
        let (red, green, blue) = (luminance.red * rest, luminance.green * rest, luminance.blue * rest)
        return ColorMatrix(
            red: Row(red + factor, green, blue), green: Row(red, green + factor, blue),
            blue: Row(red, green, blue + factor))
    }

    /// The brown of old photographs (W3C, *Filter Effects* 9.5).
    static let sepia = ColorMatrix(
        red: Row(0.393, 0.769, 0.189), green: Row(0.349, 0.686, 0.168), blue: Row(0.272, 0.534, 0.131))

    /// Every colour's opposite.
    static let invert = ColorMatrix(
        red: Row(-1, 0, 0, offset: 1), green: Row(0, -1, 0, offset: 1), blue: Row(0, 0, -1, offset: 1))
}
