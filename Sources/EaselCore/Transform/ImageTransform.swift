/// A change of a decoded image: a value whose identifier contains every parameter, so that equal transforms share work
/// and cache entries.
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
    typealias Body =
        @Sendable (DecodedImage, _ isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage

    /// Its identifier.
    public let identifier: String
    let body: Uncompared<Body>
    /// The steps of a pipeline, none of them a pipeline. A load shares the result of each with other loads.
    private var steps: [ImageTransform]?

    /// Wraps a transform.
    public init(_ base: any ImageTransforming) {
        self.init(base.identifier) { (image, isCancelled) throws(ImageError) in
            try base.apply(to: image, isCancelled: isCancelled)
        }
    }

    init(_ identifier: String, _ body: @escaping Body) {
        self.identifier = identifier
        self.body = Uncompared(body)
    }

    /// A transform of a closure.
    ///
    /// - Parameters:
    ///   - identifier: names every parameter that the closure captures: two closures with the same identifier are the
    ///     same transform, in memory and on disk.
    ///   - body: called on Easel's own threads, for several images at once. It may throw `ImageError.unsupported`.
    public static func custom(
        _ identifier: String, _ body: @escaping @Sendable (DecodedImage) throws(ImageError) -> DecodedImage
    ) -> ImageTransform {
        ImageTransform("Custom(\(identifier))") { (image, _) throws(ImageError) in try body(image) }
    }

    /// Returns several transforms in order, as one value. In a request, and in its key, it equals its steps one by one.
    package static func pipeline(_ transforms: [ImageTransform]) -> ImageTransform {
        let steps = transforms.flattened
        var pipeline = ImageTransform("Pipeline\(steps.keySuffix)") { (image, isCancelled) throws(ImageError) in
            try image.applying(steps, isCancelled: isCancelled)
        }
        pipeline.steps = steps
        return pipeline
    }

    fileprivate var flattened: [ImageTransform] { steps ?? [self] }
}

extension [ImageTransform] {
    /// Their part of the cache key, in order; empty for none. Lengths delimit the identifiers, which may contain
    /// anything.
    var keySuffix: String {
        let steps = flattened
        return steps.isEmpty
            ? "" : "-Transform(" + steps.map { "\($0.identifier.utf8.count):\($0.identifier)" }.joined() + ")"
    }

    /// The same transforms with every pipeline replaced by its steps.
    var flattened: [ImageTransform] { flatMap(\.flattened) }
}

extension DecodedImage {
    /// Returns the image after all of `transforms`, in order, on the caller's thread. The frames of its animation are
    /// transformed when they are decoded.
    ///
    /// - Throws: the error of the first transform that fails.
    public func applying(
        _ transforms: [ImageTransform], isCancelled: @Sendable () -> Bool = { false }
    ) throws(ImageError) -> DecodedImage {
        var image = self
        let steps = transforms.flattened
        for step in steps {
            if isCancelled() { throw .cancelled }
            image = try step.body.value(image, isCancelled)
            image.metadata.isTransformed = true
        }
        image.animation = animation?.applying(steps, firstFrame: image.pixels)
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
