/// Bends the scale of the colours.
struct GammaTransform: ImageTransforming {
    let gamma: Double

    init(gamma: Double) {
        self.gamma = gamma.bounded(0.01...100)
    }

    var identifier: String { "Gamma(\(CanonicalNumber.text(gamma)))" }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        guard gamma != 1 else { return image }
        let table = (0..<256).map { level in
            UInt32((255 * ReproducibleMath.power(Double(level) / 255, 1 / gamma)).rounded())
        }
        let isOpaque = image.pixels.isOpaque
        let pixels = try table.withUnsafeBufferPointer { (table) throws(ImageError) in
            try image.pixels.mapped(isOpaque: isOpaque, isCancelled: isCancelled) { pixel in
                let old = isOpaque ? pixel : PremultipliedPixel.straight(pixel)
                let new =
                    old & 0xFF00_0000 | table[Int(old >> 16 & 255)] << 16 | table[Int(old >> 8 & 255)] << 8
                    | table[Int(old & 255)]
                return isOpaque ? new : PremultipliedPixel.premultiplied(new)
            }
        }
        return image.replacing(pixels)
    }
}

extension ImageTransform {
    /// Raises every colour component, from 0 to 1, to the power of 1 / `gamma`: above 1 brightens, below darkens, black and
    /// white stay. Bounded to 0.01...100.
    public static func gamma(_ gamma: Double) -> ImageTransform { ImageTransform(GammaTransform(gamma: gamma)) }
}
