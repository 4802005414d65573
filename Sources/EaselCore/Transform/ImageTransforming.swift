/// Changes a decoded picture. A value whose identifier holds every parameter, so that equal ones share work and entries (B20).
public protocol ImageTransforming: Sendable {
    /// Names the change and all its parameters, such as `Crop(64x64)`. Part of the cache key.
    var identifier: String { get }

    /// The changed picture. Called on Easel's own threads.
    ///
    /// - Throws: `ImageError.unsupported` where it cannot be applied; nothing is then stored (R015, X050 is not copied).
    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage
}

/// Any transform, equal to another with the same identifier.
public struct ImageTransform: Sendable, Hashable {
    /// The transform itself.
    public let base: any ImageTransforming
    /// Its identifier, made once.
    public let identifier: String

    /// Wraps a transform of one's own.
    public init(_ base: any ImageTransforming) {
        self.base = base
        identifier = base.identifier
    }

    /// Equal identifiers are equal transforms.
    public static func == (first: ImageTransform, second: ImageTransform) -> Bool {
        first.identifier == second.identifier
    }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension [ImageTransform] {
    /// The part of the cache key that these make, in order; empty for none. Lengths tell where an identifier ends,
    /// whatever is in it.
    var keySuffix: String {
        let steps = flattened
        return steps.isEmpty
            ? "" : "-Transform(" + steps.map { "\($0.identifier.utf8.count):\($0.identifier)" }.joined() + ")"
    }
}

extension DecodedImage {
    /// The picture after all of `transforms`, in order, on the caller's thread. The frames of its animation are transformed when
    /// they are decoded.
    ///
    /// - Throws: what the first transform that fails throws (B98).
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
}
