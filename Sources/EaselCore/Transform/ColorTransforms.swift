import EaselFoundation

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
            let table = (0..<256).map { UInt32((255 * pow(Double($0) / 255, 1 / gamma)).rounded()) }
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
private struct ColorMatrix {
    /// The factors for the new red, green, blue and alpha: of the old red, green, blue and alpha.
    let rows: [SIMD4<Double>]
    let offset: SIMD4<Double>

    /// Creates a matrix. A row that is not given leaves its component unchanged.
    init(
        red: SIMD4<Double> = [1, 0, 0, 0], green: SIMD4<Double> = [0, 1, 0, 0], blue: SIMD4<Double> = [0, 0, 1, 0],
        alpha: SIMD4<Double> = [0, 0, 0, 1], offset: SIMD4<Double> = .zero
    ) {
        rows = [red, green, blue, alpha]
        self.offset = offset
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
        let matrix = ColorMatrix(red: red, green: green, blue: blue, alpha: alpha, offset: offset)
        let rows = matrix.rows.enumerated().map { index, row in
            [row.x, row.y, row.z, row.w, offset[index]].map(\.canonicalText).joined(separator: ",")
        }
        return makeTransform("ColorMatrix(\(rows.joined(separator: ";")))", matrix)
    }

    /// Adds `amount`, from -1 to 1, to every color component. 0 changes nothing.
    public static func brightness(_ amount: Double) -> ImageTransform {
        makeTransform("Brightness", amount) { amount in
            ColorMatrix(offset: [amount, amount, amount, 0])
        }
    }

    /// Stretches color components around the middle by `factor`: 1 changes nothing, 0 is gray.
    public static func contrast(_ factor: Double) -> ImageTransform {
        makeTransform("Contrast", factor) { factor in
            let offset = 0.5 - 0.5 * factor
            return ColorMatrix(
                red: [factor, 0, 0, 0], green: [0, factor, 0, 0], blue: [0, 0, factor, 0],
                offset: [offset, offset, offset, 0])
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
            red: [0.393, 0.769, 0.189, 0], green: [0.349, 0.686, 0.168, 0], blue: [0.272, 0.534, 0.131, 0]))

    /// Inverts every color.
    public static let invert = makeTransform(
        "Invert",
        ColorMatrix(red: [-1, 0, 0, 0], green: [0, -1, 0, 0], blue: [0, 0, -1, 0], offset: [1, 1, 1, 0]))

    /// Returns the matrix for `saturation`. The luminance has the weights of Rec. 709 as rounded by the W3C's *Filter
    /// Effects*.
    private static func saturationMatrix(_ factor: Double) -> ColorMatrix {
        let rest = 1 - factor
        let (red, green, blue) = (0.2126 * rest, 0.7152 * rest, 0.0722 * rest)
        return ColorMatrix(
            red: [red + factor, green, blue, 0], green: [red, green + factor, blue, 0],
            blue: [red, green, blue + factor, 0])
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
        keepsAlpha = matrix.rows[3] == [0, 0, 0, 1] && matrix.offset.w == 0
        func column(_ scale: Double, _ value: (_ component: Int) -> Double) -> SIMD4<Int32> {
            let values = [2, 1, 0, 3].map { component in
                let value = value(component)
                return Int32(((value.isNaN ? 0 : value).bounded(-127...127) * scale).rounded())
            }
            return SIMD4(values[0], values[1], values[2], values[3])
        }
        red = column(4_096) { matrix.rows[$0].x }
        green = column(4_096) { matrix.rows[$0].y }
        blue = column(4_096) { matrix.rows[$0].z }
        alpha = column(4_096) { matrix.rows[$0].w }
        offset = column(4_096 * 255) { matrix.offset[$0] } &+ 2_048
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
