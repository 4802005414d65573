extension ImageTransform {
    /// Fills the background with a color, where the image is translucent.
    public static func background(_ color: ImageColor) -> ImageTransform {
        let word = color.word
        return ImageTransform("Background(\(color))") { (image, isCancelled) throws(ImageError) in
            guard !image.pixels.isOpaque, color.alpha > 0 else { return image }
            let pixels = try image.pixels.mapPixels(isOpaque: color.alpha == 255, isCancelled: isCancelled) {
                PremultipliedPixel.over($0, word)
            }
            return image.replacing(pixels)
        }
    }

    /// Lays a color over the image. A color with an alpha of 0 changes nothing, whatever the mode.
    ///
    /// - Parameter blendMode: by default the color replaces the image's own wherever it is not transparent, as for
    ///   icons. For photos use `.sourceAtop` with a translucent color, or a blend mode such as `.multiply`.
    public static func tint(_ color: ImageColor, blendMode: BlendMode = .sourceIn) -> ImageTransform {
        ImageTransform("Tint(\(color),\(blendMode.rawValue))") { (image, isCancelled) throws(ImageError) in
            guard color.alpha > 0 else { return image }
            let (word, mode) = (color.word, blendMode)
            let isOpaque = image.pixels.isOpaque && (mode.keepsOpacity || color.alpha == 255)
            guard image.pixels.isOpaque else {
                return image.replacing(
                    try image.pixels.mapPixels(isOpaque: isOpaque, isCancelled: isCancelled) { mode.blend(word, $0) })
            }
            // Each component of an opaque image changes separately: there are 256 results.
            let table = (0..<256).map { level in
                mode.blend(word, 0xFF00_0000 | UInt32(level) &* 0x0001_0101)
            }
            let pixels = try table.withUnsafeBufferPointer { (table) throws(ImageError) in
                try image.pixels.mapPixels(isOpaque: isOpaque, isCancelled: isCancelled) { pixel in
                    table[Int(pixel & 255)] & 0xFF00_00FF | table[Int(pixel >> 8 & 255)] & 0xFF00
                        | table[Int(pixel >> 16 & 255)] & 0xFF_0000
                }
            }
            return image.replacing(pixels)
        }
    }

    /// Raises every color component, from 0 to 1, to the power of 1 / `gamma`: above 1 brightens, below darkens; black
    /// and white are unchanged. Bounded to 0.01...100.
    public static func gamma(_ gamma: Double) -> ImageTransform {
        let gamma = gamma.bounded(0.01...100)
        return ImageTransform("Gamma(\(gamma.canonicalText))") { (image, isCancelled) throws(ImageError) in
            guard gamma != 1 else { return image }
            let table = (0..<256).map { level in
                UInt32((255 * ReproducibleMath.power(Double(level) / 255, 1 / gamma)).rounded())
            }
            let isOpaque = image.pixels.isOpaque
            let pixels = try table.withUnsafeBufferPointer { (table) throws(ImageError) in
                try image.pixels.mapPixels(isOpaque: isOpaque, isCancelled: isCancelled) { pixel in
                    let old = isOpaque ? pixel : PremultipliedPixel.unpremultiply(pixel)
                    let new =
                        old & 0xFF00_0000 | table[Int(old >> 16 & 255)] << 16 | table[Int(old >> 8 & 255)] << 8
                        | table[Int(old & 255)]
                    return isOpaque ? new : PremultipliedPixel.premultiply(new)
                }
            }
            return image.replacing(pixels)
        }
    }
}

/// A linear change of colors: each new component is the sum of the four old ones, each times a factor, and of an
/// offset. Components range from 0 to 1 and are not premultiplied; results beyond that are clamped.
struct ColorMatrix: Sendable, Hashable {
    /// The factors and the offset of one new component.
    struct Row: Sendable, Hashable {
        let red: Double
        let green: Double
        let blue: Double
        let alpha: Double
        let offset: Double

        init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 0, offset: Double = 0) {
            (self.red, self.green, self.blue, self.alpha, self.offset) = (red, green, blue, alpha, offset)
        }
    }

    let red: Row
    let green: Row
    let blue: Row
    let alpha: Row

    /// Creates a matrix of four rows; by default alpha is unchanged.
    init(red: Row, green: Row, blue: Row, alpha: Row = Row(0, 0, 0, 1)) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }
}

extension ImageTransform {
    /// Makes new colors of old ones: each new component is the sum of the old red, green, blue and alpha, each times a
    /// factor, and of an offset.
    ///
    /// Components range from 0 to 1 and are not premultiplied; results beyond that are clamped. Factors and offsets are
    /// limited to 127 either way, and rounded to 4096ths.
    ///
    /// - Parameters:
    ///   - red: The factors for the new red: of the old red, green, blue and alpha.
    ///   - green: The factors for the new green.
    ///   - blue: The factors for the new blue.
    ///   - alpha: The factors for the new alpha, which by default is the old one.
    ///   - offset: The offsets of the new red, green, blue and alpha.
    public static func colorMatrix(
        red: SIMD4<Double>, green: SIMD4<Double>, blue: SIMD4<Double>, alpha: SIMD4<Double> = [0, 0, 0, 1],
        offset: SIMD4<Double> = .zero
    ) -> ImageTransform {
        func row(_ factors: SIMD4<Double>, _ offset: Double) -> ColorMatrix.Row {
            .init(factors.x, factors.y, factors.z, factors.w, offset: offset)
        }
        let matrix = ColorMatrix(
            red: row(red, offset.x), green: row(green, offset.y), blue: row(blue, offset.z),
            alpha: row(alpha, offset.w))
        let rows = [matrix.red, matrix.green, matrix.blue, matrix.alpha].map { row in
            [row.red, row.green, row.blue, row.alpha, row.offset].map(\.canonicalText).joined(separator: ",")
        }
        return makeTransform("ColorMatrix(\(rows.joined(separator: ";")))", matrix)
    }

    /// Adds `amount`, from -1 to 1, to every color component. 0 changes nothing.
    public static func brightness(_ amount: Double) -> ImageTransform {
        makeTransform("Brightness", amount) { amount in
            ColorMatrix(
                red: .init(1, 0, 0, offset: amount), green: .init(0, 1, 0, offset: amount),
                blue: .init(0, 0, 1, offset: amount))
        }
    }

    /// Stretches color components around the middle by `factor`: 1 changes nothing, 0 is gray.
    public static func contrast(_ factor: Double) -> ImageTransform {
        makeTransform("Contrast", factor) { factor in
            let offset = 0.5 - 0.5 * factor
            return ColorMatrix(
                red: .init(factor, 0, 0, offset: offset), green: .init(0, factor, 0, offset: offset),
                blue: .init(0, 0, factor, offset: offset))
        }
    }

    /// Moves colors away from their gray by `factor`: 1 changes nothing, 0 is `grayscale`.
    public static func saturation(_ factor: Double) -> ImageTransform {
        makeTransform("Saturation", factor, saturationMatrix)
    }

    /// The luminance alone, by the weights of Rec. 709.
    public static let grayscale = makeTransform("Grayscale", saturationMatrix(0))

    /// The brown of old photographs (W3C, *Filter Effects* 9.5).
    public static let sepia = makeTransform(
        "Sepia",
        ColorMatrix(
            red: .init(0.393, 0.769, 0.189), green: .init(0.349, 0.686, 0.168), blue: .init(0.272, 0.534, 0.131)))

    /// Inverts every color.
    public static let invert = makeTransform(
        "Invert",
        ColorMatrix(
            red: .init(-1, 0, 0, offset: 1), green: .init(0, -1, 0, offset: 1), blue: .init(0, 0, -1, offset: 1)))

    /// Returns the matrix for `saturation`. The luminance has the weights of Rec. 709 as rounded by the W3C's *Filter
    /// Effects*.
    private static func saturationMatrix(_ factor: Double) -> ColorMatrix {
        let rest = 1 - factor
        let (red, green, blue) = (0.2126 * rest, 0.7152 * rest, 0.0722 * rest)
        return ColorMatrix(
            red: .init(red + factor, green, blue), green: .init(red, green + factor, blue),
            blue: .init(red, green, blue + factor))
    }

    private static func makeTransform(
        _ name: String, _ parameter: Double, _ matrix: (Double) -> ColorMatrix
    ) -> ImageTransform {
        let parameter = parameter.isNaN ? 0 : parameter
        return makeTransform("\(name)(\(parameter.canonicalText))", matrix(parameter))
    }

    private static func makeTransform(_ identifier: String, _ matrix: ColorMatrix) -> ImageTransform {
        let fixed = FixedColorMatrix(matrix)
        return ImageTransform(identifier) { (image, isCancelled) throws(ImageError) in
            let isOpaque = image.pixels.isOpaque
            let staysOpaque = isOpaque && fixed.keepsAlpha
            let pixels = try image.pixels.mapPixels(isOpaque: staysOpaque, isCancelled: isCancelled) { pixel in
                let new = fixed.apply(to: isOpaque ? pixel : PremultipliedPixel.unpremultiply(pixel))
                return staysOpaque ? new : PremultipliedPixel.premultiply(new)
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
        keepsAlpha = matrix.alpha == ColorMatrix.Row(0, 0, 0, 1)
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
