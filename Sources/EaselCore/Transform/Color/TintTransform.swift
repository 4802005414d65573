/// Lays one colour over a picture.
struct TintTransform: ImageTransforming {
    let color: ImageColor
    let blendMode: BlendMode

    var identifier: String { "Tint(\(color),\(blendMode.rawValue))" }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        guard color.alpha > 0 else { return image }
        let (word, mode) = (color.word, blendMode)
        // A source that is opaque is what keeps an opaque picture so in these modes too.
        let keeps = mode.keepsOpacity || (color.alpha == 255 && [.source, .sourceIn, .destinationIn].contains(mode))
        let isOpaque = image.pixels.isOpaque && keeps || (mode == .source && color.alpha == 255)
        guard image.pixels.isOpaque else {
            return image.replacing(
                try image.pixels.mapped(isOpaque: isOpaque, isCancelled: isCancelled) { mode.blend(word, $0) })
        }
        // Of an opaque picture each component changes by itself: there are 256 answers.
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

extension ImageTransform {
    /// Lays a colour over the picture. A colour with an alpha of 0 changes nothing, whatever the mode (X183).
    ///
    /// - Parameter blendMode: by default the colour takes the place of the picture's own wherever it has any, as icons want
    ///   it. For photos take `.sourceAtop` with a translucent colour, or a blend mode such as `.multiply`.
    public static func tint(_ color: ImageColor, blendMode: BlendMode = .sourceIn) -> ImageTransform {
        ImageTransform(TintTransform(color: color, blendMode: blendMode))
    }
}
