/// How a placeholder becomes a picture.
enum PlaceholderPicture {
    /// It is there.
    case ready(DecodedImage)
    /// It has to be made, which takes longer than the main thread should be kept for.
    case work(@Sendable () throws(ImageError) -> DecodedImage)

    /// The picture of a placeholder, `nil` where there is none.
    ///
    /// - Parameters:
    ///   - target: gives colours and hashes without proportions of their own those of the view.
    ///   - variants: pictures of other sizes, the largest first.
    init?(_ placeholder: Placeholder, for target: TargetSize, variants: () -> [DecodedImage]) {
        switch placeholder {
        case .color(let color):
            guard let pixels = try? Self.even(color, Self.size(for: target)) else { return nil }
            self = .ready(DecodedImage(pixels: pixels, metadata: ImageMetadata(isPlaceholder: true)))
        case .image(let image):
            self = .ready(image.asPlaceholder)
        case .blurHash(let text, let punch):
            guard let hash = BlurHash(text) else { return nil }
            self = .work { () throws(ImageError) in try hash.image(size: Self.size(for: target), punch: punch) }
        case .thumbHash(let text):
            guard let hash = ThumbHash(text) else { return nil }
            self = .work { () throws(ImageError) in try hash.image() }
        case .cachedVariant:
            guard let image = Self.best(of: variants(), for: target) else { return nil }
            self = .ready(image.asPlaceholder)
        case .first(let all):
            for placeholder in all {
                if let picture = PlaceholderPicture(placeholder, for: target, variants: variants) {
                    self = picture
                    return
                }
            }
            return nil
        }
    }

    private static func best(of variants: [DecodedImage], for target: TargetSize) -> DecodedImage? {
        let largeEnough = variants.last { variant in
            guard let original = variant.metadata.sampling?.original else { return false }
            let wanted = target.size(for: original)
            return variant.size.width >= wanted.width && variant.size.height >= wanted.height
        }
        return largeEnough ?? variants.first
    }

    /// The box's proportions, in 32 pixels on the longer side.
    private static func size(for target: TargetSize) -> PixelSize {
        let most = PixelSize(32, 32)
        guard case .pixels(let box, _) = target, box.width > 0, box.height > 0 else { return most }
        return TargetSize.pixels(most, mode: .aspectFit).size(for: box)
    }

    private static func even(_ color: ImageColor, _ size: PixelSize) throws(ImageError) -> PixelBuffer {
        try .rows(of: size, isOpaque: color.alpha == 255, isCancelled: { false }) { _, target in
            target.update(repeating: color.word, count: size.width)
        }
    }
}

extension DecodedImage {
    fileprivate var asPlaceholder: DecodedImage {
        var image = self
        image.metadata.isPlaceholder = true
        return image
    }
}
