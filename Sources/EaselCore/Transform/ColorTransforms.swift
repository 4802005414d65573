extension ImageTransform {
    /// Fills the background with a color, where the image is translucent.
    public static func background(_ color: ImageColor) -> ImageTransform {
        let word = color.word
        return ImageTransform("Background(\(color))") { (image, isCancelled) throws(ImageError) in
            guard !image.pixels.isOpaque, color.alpha > 0 else { return image }
            let pixels = try image.pixels.mapped(isOpaque: color.alpha == 255, isCancelled: isCancelled) {
                PremultipliedPixel.over($0, word)
            }
            return image.replacing(pixels)
        }
    }

    /// Lays a color over the image. A color with an alpha of 0 changes nothing, whatever the mode.
    ///
    /// - Parameter blendMode: by default the color replaces the image's own wherever it is not transparent, as for icons. For
    ///   photos use `.sourceAtop` with a translucent color, or a blend mode such as `.multiply`.
    public static func tint(_ color: ImageColor, blendMode: BlendMode = .sourceIn) -> ImageTransform {
        ImageTransform("Tint(\(color),\(blendMode.rawValue))") { (image, isCancelled) throws(ImageError) in
            guard color.alpha > 0 else { return image }
            let (word, mode) = (color.word, blendMode)
            // An opaque source keeps an opaque image opaque in these modes too.
            let keeps =
                mode.keepsOpacity || (color.alpha == 255 && [.source, .sourceIn, .destinationIn].contains(mode))
            let isOpaque = image.pixels.isOpaque && keeps || (mode == .source && color.alpha == 255)
            guard image.pixels.isOpaque else {
                return image.replacing(
                    try image.pixels.mapped(isOpaque: isOpaque, isCancelled: isCancelled) { mode.blend(word, $0) })
            }
            // Each component of an opaque image changes by itself: there are 256 results.
            let table = (0..<256).map { level in
                mode.blend(word, 0xFF00_0000 | UInt32(level) &* 0x0001_0101)
            }
            let pixels = try table.withUnsafeBufferPointer { (table) throws(ImageError) in
                try image.pixels.mapped(isOpaque: isOpaque, isCancelled: isCancelled) { pixel in
                    table[Int(pixel & 255)] & 0xFF00_00FF | table[Int(pixel >> 8 & 255)] & 0xFF00
                        | table[Int(pixel >> 16 & 255)] & 0xFF_0000
                }
            }
            return image.replacing(pixels)
        }
    }

    /// Raises every color component, from 0 to 1, to the power of 1 / `gamma`: above 1 brightens, below darkens; black and
    /// white are unchanged. Bounded to 0.01...100.
    public static func gamma(_ gamma: Double) -> ImageTransform {
        let gamma = gamma.bounded(0.01...100)
        return ImageTransform("Gamma(\(CanonicalNumber.text(gamma)))") { (image, isCancelled) throws(ImageError) in
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
}
