/// A linear change of colors: each new component is the sum of the four old ones, each times a factor, and of an offset.
/// Components range from 0 to 1 and are not premultiplied; results beyond that are cut off.
public struct ColorMatrix: Sendable, Hashable {
    /// The factors and the offset of one new component.
    public struct Row: Sendable, Hashable {
        /// The factor of the old red.
        public var red: Double
        /// The factor of the old green.
        public var green: Double
        /// The factor of the old blue.
        public var blue: Double
        /// The factor of the old alpha.
        public var alpha: Double
        /// The offset.
        public var offset: Double

        /// Factors and an offset.
        public init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 0, offset: Double = 0) {
            (self.red, self.green, self.blue) = (red, green, blue)
            (self.alpha, self.offset) = (alpha, offset)
        }
    }

    /// The row of the new red.
    public var red: Row
    /// The row of the new green.
    public var green: Row
    /// The row of the new blue.
    public var blue: Row
    /// The row of the new alpha.
    public var alpha: Row

    /// A matrix of four rows; by default alpha is unchanged.
    public init(red: Row, green: Row, blue: Row, alpha: Row = Row(0, 0, 0, 1)) {
        (self.red, self.green) = (red, green)
        (self.blue, self.alpha) = (blue, alpha)
    }

    /// Changes nothing.
    public static let identity = ColorMatrix(red: Row(1, 0, 0), green: Row(0, 1, 0), blue: Row(0, 0, 1))

    /// The brown of old photographs (W3C, *Filter Effects* 9.5).
    static let sepia = ColorMatrix(
        red: Row(0.393, 0.769, 0.189), green: Row(0.349, 0.686, 0.168), blue: Row(0.272, 0.534, 0.131))
}

extension ImageTransform {
    /// Makes new colors of old ones. Factors and offsets are limited to 127 either way, and rounded to 4096ths.
    public static func colorMatrix(_ matrix: ColorMatrix) -> ImageTransform {
        let rows = [matrix.red, matrix.green, matrix.blue, matrix.alpha].map { row in
            [row.red, row.green, row.blue, row.alpha, row.offset].map(CanonicalNumber.text).joined(separator: ",")
        }
        return transform("ColorMatrix(\(rows.joined(separator: ";")))", matrix)
    }

    /// Adds `amount`, from -1 to 1, to every color component. 0 changes nothing.
    public static func brightness(_ amount: Double) -> ImageTransform {
        named("Brightness", amount) { amount in
            ColorMatrix(
                red: .init(1, 0, 0, offset: amount), green: .init(0, 1, 0, offset: amount),
                blue: .init(0, 0, 1, offset: amount))
        }
    }

    /// Stretches color components around the middle by `factor`: 1 changes nothing, 0 is gray.
    public static func contrast(_ factor: Double) -> ImageTransform {
        named("Contrast", factor) { factor in
            let offset = 0.5 - 0.5 * factor
            return ColorMatrix(
                red: .init(factor, 0, 0, offset: offset), green: .init(0, factor, 0, offset: offset),
                blue: .init(0, 0, factor, offset: offset))
        }
    }

    /// Moves colors away from their gray by `factor`: 1 changes nothing, 0 is `grayscale`.
    public static func saturation(_ factor: Double) -> ImageTransform {
        named("Saturation", factor, saturationMatrix)
    }

    /// The luminance alone, by the weights of Rec. 709.
    public static let grayscale = transform("Grayscale", saturationMatrix(0))

    /// The brown of old photographs.
    public static let sepia = transform("Sepia", .sepia)

    /// Inverts every color.
    public static let invert = transform(
        "Invert",
        ColorMatrix(
            red: .init(-1, 0, 0, offset: 1), green: .init(0, -1, 0, offset: 1), blue: .init(0, 0, -1, offset: 1)))

    /// The luminance has the weights of Rec. 709 as rounded by the W3C's *Filter Effects*.
    private static func saturationMatrix(_ factor: Double) -> ColorMatrix {
        let rest = 1 - factor
        let (red, green, blue) = (0.2126 * rest, 0.7152 * rest, 0.0722 * rest)
        return ColorMatrix(
            red: .init(red + factor, green, blue), green: .init(red, green + factor, blue),
            blue: .init(red, green, blue + factor))
    }

    private static func named(
        _ name: String, _ parameter: Double, _ matrix: (Double) -> ColorMatrix
    ) -> ImageTransform {
        let parameter = parameter.isNaN ? 0 : parameter
        return transform("\(name)(\(CanonicalNumber.text(parameter)))", matrix(parameter))
    }

    private static func transform(_ identifier: String, _ matrix: ColorMatrix) -> ImageTransform {
        let fixed = FixedColorMatrix(matrix)
        return ImageTransform(identifier) { (image, isCancelled) throws(ImageError) in
            let isOpaque = image.pixels.isOpaque
            let staysOpaque = isOpaque && fixed.keepsAlpha
            let pixels = try image.pixels.mapped(isOpaque: staysOpaque, isCancelled: isCancelled) { pixel in
                let new = fixed.apply(to: isOpaque ? pixel : PremultipliedPixel.straight(pixel))
                return staysOpaque ? new : PremultipliedPixel.premultiplied(new)
            }
            return image.replacing(pixels)
        }
    }
}

/// A color matrix of fixed-point numbers with 12 fraction bits, in the order of a pixel's bytes.
private struct FixedColorMatrix {
    private let blue: SIMD4<Int32>
    private let green: SIMD4<Int32>
    private let red: SIMD4<Int32>
    private let alpha: SIMD4<Int32>
    private let offset: SIMD4<Int32>
    let keepsAlpha: Bool

    init(_ matrix: ColorMatrix) {
        keepsAlpha = matrix.alpha == ColorMatrix.identity.alpha
        func column(_ factor: (ColorMatrix.Row) -> Double, _ scale: Double) -> SIMD4<Int32> {
            let values = [matrix.blue, matrix.green, matrix.red, matrix.alpha].map { row in
                let value = factor(row)
                return Int32(((value.isNaN ? 0 : value).bounded(-127...127) * scale).rounded())
            }
            return SIMD4(values[0], values[1], values[2], values[3])
        }
        blue = column(\.blue, 4_096)
        green = column(\.green, 4_096)
        red = column(\.red, 4_096)
        alpha = column(\.alpha, 4_096)
        offset = column(\.offset, 4_096 * 255) &+ 2_048
    }

    @inline(__always)
    func apply(to straight: UInt32) -> UInt32 {
        let old = PremultipliedPixel.components(straight)
        var sum = offset &+ blue &* old.x
        sum &+= green &* old.y
        sum &+= red &* old.z
        sum &+= alpha &* old.w
        let full = SIMD4<Int32>(repeating: 255)
        return PremultipliedPixel.word((sum &>> 12).clamped(lowerBound: .zero, upperBound: full))
    }
}
