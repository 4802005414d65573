/// A transform that somebody else wrote.
struct ClosureTransform: ImageTransforming {
    typealias Body = @Sendable (DecodedImage) throws(ImageError) -> DecodedImage

    let name: String
    let body: Body

    var identifier: String { "Custom(\(name))" }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        try body(image)
    }
}

extension ImageTransform {
    /// A transform from a closure (B21).
    ///
    /// - Parameters:
    ///   - identifier: has to name every parameter that the closure captures: two closures with the same identifier are taken for
    ///     the same transform, in memory and on disk.
    ///   - body: called on Easel's own threads, for several pictures at once. It may throw `ImageError.unsupported`.
    public static func custom(
        _ identifier: String, _ body: @escaping @Sendable (DecodedImage) throws(ImageError) -> DecodedImage
    ) -> ImageTransform {
        ImageTransform(ClosureTransform(name: identifier, body: body))
    }
}
