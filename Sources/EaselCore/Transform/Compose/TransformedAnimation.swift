/// Gives the frames of another decoder, each transformed when it is asked for and not before.
///
/// The header is that of the file: its size is the one before the transforms. Transforms that look at the pixels to
/// find the size of their result, such as `trim`, may give each frame another one.
final class TransformedAnimation: AnimationDecoder {
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
    /// The same animation, each frame transformed when it is asked for (S087, X010). It is used in place of this one.
    public func applying(_ transforms: [ImageTransform]) -> any AnimationDecoder {
        transforms.isEmpty ? self : TransformedAnimation(self, transforms)
    }
}
