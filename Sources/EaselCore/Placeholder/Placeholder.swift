/// An image that is shown while another one loads: the load's first `.preview`. An image in memory needs none.
public enum Placeholder: Sendable {
    /// One color.
    case color(ImageColor)
    /// An image.
    case image(DecodedImage)
    /// A BlurHash and the factor of its contrast. An invalid BlurHash is ignored.
    case blurHash(String, punch: Double = 1)
    /// A ThumbHash in base 64. An invalid ThumbHash is ignored.
    case thumbHash(String)
    /// Another size of the same image in memory, with the same transforms: the smallest that is large enough, else the
    /// largest.
    case cachedVariant
    /// The first of these that is available.
    case first([Placeholder])
}

extension Placeholder: Hashable {
    /// Images are equal if they share their pixels.
    public static func == (first: Placeholder, second: Placeholder) -> Bool { first.identity == second.identity }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

    private var identity: [AnyHashable] {
        switch self {
        case .color(let color): [color]
        // No two live buffers have the same address.
        case .image(let image): [image.pixels.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }]
        case .blurHash(let text, let punch): [text, punch]
        case .thumbHash(let text): [text]
        case .cachedVariant: []
        case .first(let all): [all]
        }
    }
}

/// The image of a placeholder.
package enum PlaceholderImage {
    /// Available at once.
    case ready(DecodedImage)
    /// Computed by work that is too long for the main thread.
    case work(@Sendable () throws(ImageError) -> DecodedImage)

    /// Creates the image of a placeholder. Returns `nil` if it has none.
    ///
    /// - Parameters:
    ///   - target: gives colors and BlurHashes the proportions of the view.
    ///   - variants: images of other sizes, the largest first.
    init?(_ placeholder: Placeholder, for target: TargetSize, variants: () -> [DecodedImage]) {
        switch placeholder {
        case .color(let color):
            guard let pixels = try? Self.fill(Self.size(for: target), with: color) else { return nil }
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
                guard let image = PlaceholderImage(placeholder, for: target, variants: variants) else { continue }
                self = image
                return
            }
            return nil
        }
    }

    private static func best(of variants: [DecodedImage], for target: TargetSize) -> DecodedImage? {
        let largeEnough = variants.last { variant in
            guard let original = variant.metadata.sampling?.original else { return false }
            let size = target.size(for: original)
            return variant.size.width >= size.width && variant.size.height >= size.height
        }
        return largeEnough ?? variants.first
    }

    /// Returns the box's proportions, in 32 pixels on the longer side.
    private static func size(for target: TargetSize) -> PixelSize {
        let largest = PixelSize(32, 32)
        guard case .pixels(let box, _) = target, box.width > 0, box.height > 0 else { return largest }
        return TargetSize.pixels(largest, mode: .aspectFit).size(for: box)
    }

    private static func fill(_ size: PixelSize, with color: ImageColor) throws(ImageError) -> PixelBuffer {
        try .drawRows(of: size, isOpaque: color.alpha == 255) { _, target in
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
