/// What is shown until a picture comes. It comes with the request, as the load's first `.preview`, before anything else
/// happens; a picture that is in memory needs none.
public enum Placeholder: Sendable {
    /// One colour.
    case color(ImageColor)
    /// A picture.
    case image(DecodedImage)
    /// A BlurHash, and how much its contrast is multiplied by. What is no BlurHash is passed over.
    case blurHash(String, punch: Double = 1)
    /// A ThumbHash in base 64. What is none is passed over.
    case thumbHash(String)
    /// Another size of the same picture that is in memory, with the same transforms: the smallest of those that are large
    /// enough, else the largest.
    case cachedVariant
    /// The first of these that there is.
    case first([Placeholder])

    /// Another size of the same picture that is in memory, else the first of `others` that there is.
    public static func bestAvailable(_ others: Placeholder...) -> Placeholder { .first([.cachedVariant] + others) }
}

extension Placeholder: Hashable {
    /// Pictures are equal where they are the very same pixels.
    public static func == (first: Placeholder, second: Placeholder) -> Bool { first.identity == second.identity }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

    private enum Identity: Hashable {
        case color(ImageColor)
        case pixels(UInt, PixelSize)
        case blurHash(String, Double)
        case thumbHash(String)
        case cachedVariant
        case first([Placeholder])
    }

    private var identity: Identity {
        switch self {
        case .color(let color): .color(color)
        case .image(let image):
            // As long as both are there, no two have the same address.
            .pixels(image.pixels.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }, image.size)
        case .blurHash(let text, let punch): .blurHash(text, punch)
        case .thumbHash(let text): .thumbHash(text)
        case .cachedVariant: .cachedVariant
        case .first(let all): .first(all)
        }
    }
}
