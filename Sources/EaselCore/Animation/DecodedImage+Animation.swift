import EaselFoundation

extension CoderRegistry {
    /// The picture that a file holds, and with its first frame the animation.
    func image(
        in data: Data, _ decoding: DecodeOptions, _ options: LoadOptions
    ) throws(ImageError) -> DecodedImage {
        let decoder = try decoder(for: data)
        var image = try decoder.decode(data, decoding)
        guard decoding.frame == 0, !image.metadata.isPartial, let header = image.metadata.header, header.frameCount > 1,
            let coder = decoder as? any AnimationDecoding
        else { return image }
        if options.contains(.decodeFirstFrameOnly) {
            image.isFirstFrameOnly = true
            return image
        }
        let animation = Animation(
            data: data, header: header, coder: coder, options: decoding, firstFrame: image.pixels)
        if options.contains(.preloadAllFrames) {
            try animation.loadFrames(limit: FrameStore.automaticLimit, isCancelled: decoding.isCancelled)
        }
        image.animation = animation
        return image
    }
}

extension DecodedImage {
    /// What a request gets of a picture that is kept under its key, perhaps for another one: requests that differ only in what
    /// they make of an animation have the same key. `nil` where that is not all that it wants.
    func answer(to request: ImageRequest) -> DecodedImage? {
        guard let animation else { return request.wantsAnimation && isFirstFrameOnly ? nil : self }
        if request.wantsAnimation {
            return animation.transforms == request.frameTransforms ? self : nil
        }
        guard animation.transforms == request.transforms else { return nil }
        var still = self
        still.animation = nil
        still.isFirstFrameOnly = true
        return still
    }
}

extension ImageRequest {
    /// What is done to each frame of an animation.
    fileprivate var frameTransforms: [ImageTransform] {
        options.contains(.transformAnimatedImage) ? transforms : []
    }

    /// Whether its transforms are for this picture (S087, X010).
    func transforms(_ image: DecodedImage) -> Bool {
        image.animation == nil || options.contains(.transformAnimatedImage)
    }
}
