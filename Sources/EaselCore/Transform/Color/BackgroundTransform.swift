/// Puts a colour behind a picture.
struct BackgroundTransform: ImageTransforming {
    let color: ImageColor

    var identifier: String { "Background(\(color))" }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        guard !image.pixels.isOpaque, color.alpha > 0 else { return image }
        let word = color.word
        let pixels = try image.pixels.mapped(isOpaque: color.alpha == 255, isCancelled: isCancelled) {
            PremultipliedPixel.over($0, word)
        }
        return image.replacing(pixels)
    }
}

extension ImageTransform {
    /// Puts a colour behind the picture, which shows where the picture is translucent.
    public static func background(_ color: ImageColor) -> ImageTransform {
        ImageTransform(BackgroundTransform(color: color))
    }
}
