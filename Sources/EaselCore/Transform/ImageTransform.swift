/// A change of a decoded image: a value whose identifier contains every parameter, so that equal transforms share work and
/// cache entries.
public protocol ImageTransforming: Sendable {
    /// The name of the change with all its parameters, such as `Crop(64x64)`. Part of the cache key.
    var identifier: String { get }

    /// Returns the changed image. Called on Easel's own threads.
    ///
    /// - Throws: `ImageError.unsupported` if it cannot be applied; nothing is stored then.
    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage
}

/// A transform of any type, equal to another with the same identifier.
public struct ImageTransform: Sendable, Hashable {
    /// The transform itself.
    public let base: any ImageTransforming
    /// Its identifier.
    public let identifier: String

    /// Wraps a transform.
    public init(_ base: any ImageTransforming) {
        self.base = base
        identifier = base.identifier
    }

    init(_ identifier: String, _ body: @escaping ClosureTransform.Body) {
        self.init(ClosureTransform(identifier: identifier, body: body))
    }

    /// Compares the identifiers.
    public static func == (first: ImageTransform, second: ImageTransform) -> Bool {
        first.identifier == second.identifier
    }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

    /// A transform of a closure.
    ///
    /// - Parameters:
    ///   - identifier: names every parameter that the closure captures: two closures with the same identifier are the same
    ///     transform, in memory and on disk.
    ///   - body: called on Easel's own threads, for several images at once. It may throw `ImageError.unsupported`.
    public static func custom(
        _ identifier: String, _ body: @escaping @Sendable (DecodedImage) throws(ImageError) -> DecodedImage
    ) -> ImageTransform {
        ImageTransform("Custom(\(identifier))") { (image, _) throws(ImageError) in try body(image) }
    }

    /// Several transforms in order, as one value. In a request, and in its key, it equals its steps one by one.
    public static func pipeline(_ transforms: [ImageTransform]) -> ImageTransform {
        ImageTransform(PipelineTransform(steps: transforms.flattened))
    }
}

struct ClosureTransform: ImageTransforming {
    typealias Body =
        @Sendable (DecodedImage, _ isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage

    let identifier: String
    let body: Body

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        try body(image, isCancelled)
    }
}

/// Several transforms as one. A load replaces it by its steps, which it shares like any others.
private struct PipelineTransform: ImageTransforming {
    /// None of them a pipeline.
    let steps: [ImageTransform]

    var identifier: String { "Pipeline\(steps.keySuffix)" }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        try image.applying(steps, isCancelled: isCancelled)
    }
}

extension [ImageTransform] {
    /// Their part of the cache key, in order; empty for none. Lengths delimit the identifiers, which may contain anything.
    var keySuffix: String {
        let steps = flattened
        return steps.isEmpty
            ? "" : "-Transform(" + steps.map { "\($0.identifier.utf8.count):\($0.identifier)" }.joined() + ")"
    }

    /// The same transforms with every pipeline replaced by its steps.
    var flattened: [ImageTransform] {
        guard contains(where: { $0.base is PipelineTransform }) else { return self }
        return flatMap { ($0.base as? PipelineTransform)?.steps ?? [$0] }
    }
}

extension DecodedImage {
    /// Returns the image after all of `transforms`, in order, on the caller's thread. The frames of its animation are
    /// transformed when they are decoded.
    ///
    /// - Throws: what the first transform that fails throws.
    public func applying(
        _ transforms: [ImageTransform], isCancelled: @Sendable () -> Bool = { false }
    ) throws(ImageError) -> DecodedImage {
        var image = self
        for transform in transforms.flattened {
            if isCancelled() { throw .cancelled }
            image = try transform.base.apply(to: image, isCancelled: isCancelled)
            image.metadata.isTransformed = true
        }
        image.animation = animation?.applying(transforms.flattened, firstFrame: image.pixels)
        return image
    }

    /// Returns the same image with other pixels.
    func replacing(_ pixels: PixelBuffer, deep: DeepPixelBuffer? = nil) -> DecodedImage {
        var image = self
        image.pixels = pixels
        image.deepPixels = deep
        return image
    }
}

/// The frames of another decoder, each transformed when it is decoded.
///
/// The header is that of the file, with the size before the transforms. Transforms whose size depends on the pixels, such as
/// `trim`, may give each frame another size.
private final class TransformedAnimation: AnimationDecoder {
    private let base: any AnimationDecoder
    private let transforms: [ImageTransform]

    init(_ base: any AnimationDecoder, _ transforms: [ImageTransform]) {
        self.base = base
        self.transforms = transforms
    }

    var header: ImageHeader { base.header }

    func frame(_ index: Int, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        try base.frame(index, isCancelled: isCancelled).applying(transforms, isCancelled: isCancelled)
    }
}

extension AnimationDecoder {
    /// Returns a decoder of the same animation that transforms each frame. Use it in place of this one.
    public func applying(_ transforms: [ImageTransform]) -> any AnimationDecoder {
        transforms.isEmpty ? self : TransformedAnimation(self, transforms)
    }
}
