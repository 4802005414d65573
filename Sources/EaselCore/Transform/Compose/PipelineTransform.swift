/// Several transforms as one. It is nothing of its own: a load takes it apart, so that its steps are shared like any other.
struct PipelineTransform: ImageTransforming {
    /// None of them a pipeline.
    let steps: [ImageTransform]

    var identifier: String { "Pipeline\(steps.keySuffix)" }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        try image.applying(steps, isCancelled: isCancelled)
    }
}

extension [ImageTransform] {
    /// The same transforms, every pipeline replaced by its steps (B98).
    var flattened: [ImageTransform] {
        guard contains(where: { $0.base is PipelineTransform }) else { return self }
        return flatMap { ($0.base as? PipelineTransform)?.steps ?? [$0] }
    }
}

extension ImageTransform {
    /// Several transforms in this order, to be passed around as one. In a request it is the same as its steps one by one, in
    /// its key too; without steps it changes nothing.
    public static func pipeline(_ transforms: [ImageTransform]) -> ImageTransform {
        ImageTransform(PipelineTransform(steps: transforms.flattened))
    }
}
