/// Makes new colours of old ones by a matrix.
struct ColorMatrixTransform: ImageTransforming {
    /// Where it stands for one word, that word with its parameter; the matrix otherwise.
    let identifier: String
    private let columns: [SIMD4<Int32>]
    private let offset: SIMD4<Int32>
    /// Whether alpha stays as it is.
    private let keepsAlpha: Bool

    /// Bits behind the point of a factor.
    private static let fraction = 12
    private static let largest = 127.0

    init(_ matrix: ColorMatrix, name: String? = nil) {
        identifier = name ?? "ColorMatrix(\(matrix.rows.map(Self.text).joined(separator: ";")))"
        keepsAlpha = matrix.alpha == ColorMatrix.identity.alpha
        // In the order of a pixel's bytes.
        let rows = [matrix.blue, matrix.green, matrix.red, matrix.alpha]
        func column(_ factor: (ColorMatrix.Row) -> Double, _ scale: Double) -> SIMD4<Int32> {
            let values = rows.map { Int32((factor($0).orZero.bounded(-Self.largest...Self.largest) * scale).rounded()) }
            return SIMD4(values[0], values[1], values[2], values[3])
        }
        let one = Double(1 << Self.fraction)
        columns = [column(\.blue, one), column(\.green, one), column(\.red, one), column(\.alpha, one)]
        offset = column(\.offset, one * 255) &+ (1 << (Self.fraction - 1))
    }

    private static func text(_ row: ColorMatrix.Row) -> String {
        row.values.map(CanonicalNumber.text).joined(separator: ",")
    }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        let isOpaque = image.pixels.isOpaque
        let (blue, green, red, alpha) = (columns[0], columns[1], columns[2], columns[3])
        let (offset, shift) = (offset, Int32(Self.fraction))
        let full = SIMD4<Int32>(repeating: 255)
        let pixels = try image.pixels.mapped(isOpaque: isOpaque && keepsAlpha, isCancelled: isCancelled) { pixel in
            let old = PremultipliedPixel.components(isOpaque ? pixel : PremultipliedPixel.straight(pixel))
            var sum = offset &+ blue &* old.x
            sum &+= green &* old.y
            sum &+= red &* old.z
            sum &+= alpha &* old.w
            let new = PremultipliedPixel.word((sum &>> shift).clamped(lowerBound: .zero, upperBound: full))
            return isOpaque && keepsAlpha ? new : PremultipliedPixel.premultiplied(new)
        }
        return image.replacing(pixels)
    }
}

extension Double {
    fileprivate var orZero: Double { isNaN ? 0 : self }
}

extension ImageTransform {
    /// Makes new colours of old ones. Factors and offsets beyond 127 either way are cut off there, and rounded to 4096ths.
    public static func colorMatrix(_ matrix: ColorMatrix) -> ImageTransform {
        ImageTransform(ColorMatrixTransform(matrix))
    }

    /// Adds `amount`, from -1 to 1, to every colour component. 0 changes nothing.
    public static func brightness(_ amount: Double) -> ImageTransform {
        named("Brightness", amount, ColorMatrix.brightness)
    }

    /// Stretches colour components around the middle by `factor`: 1 changes nothing, 0 is grey.
    public static func contrast(_ factor: Double) -> ImageTransform {
        named("Contrast", factor, ColorMatrix.contrast)
    }

    /// Moves colours away from their grey by `factor`: 1 changes nothing, 0 is `grayscale`.
    public static func saturation(_ factor: Double) -> ImageTransform {
        named("Saturation", factor, ColorMatrix.saturation)
    }

    /// The luminance alone, by the weights of Rec. 709.
    public static let grayscale = ImageTransform(ColorMatrixTransform(.saturation(0), name: "Grayscale"))

    /// The brown of old photographs.
    public static let sepia = ImageTransform(ColorMatrixTransform(.sepia, name: "Sepia"))

    /// Every colour's opposite.
    public static let invert = ImageTransform(ColorMatrixTransform(.invert, name: "Invert"))

    private static func named(
        _ name: String, _ parameter: Double, _ matrix: (Double) -> ColorMatrix
    ) -> ImageTransform {
        let parameter = parameter.isNaN ? 0 : parameter
        return ImageTransform(
            ColorMatrixTransform(matrix(parameter), name: "\(name)(\(CanonicalNumber.text(parameter)))"))
    }
}
