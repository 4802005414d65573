package import EaselFoundation

extension CoderRegistry {
    /// Decodes the image of a file; the first frame comes with the animation.
    package func image(
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
            try animation.loadAllFrames(isCancelled: decoding.isCancelled)
        }
        image.animation = animation
        return image
    }
}

extension DecodedImage {
    /// Returns the answer to a request from a cached image, or `nil` if that is insufficient: requests that differ only
    /// in their treatment of animations share a key.
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
    fileprivate var frameTransforms: [ImageTransform] {
        options.contains(.transformAnimatedImage) ? transforms : []
    }

    func transforms(_ image: DecodedImage) -> Bool {
        image.animation == nil || options.contains(.transformAnimatedImage)
    }
}
