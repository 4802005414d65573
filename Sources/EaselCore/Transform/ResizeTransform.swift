/// Scales a picture down into a box, by the resampler that decoders use too.
struct ResizeTransform: ImageTransforming {
    let size: TargetSize

    var identifier: String { "Resize\(size.keySuffix)" }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        let size = size.size(for: image.size)
        if size == image.size { return image }
        var result = image
        result.pixels = try image.pixels.resized(to: size, isCancelled: isCancelled)
        return result
    }
}

extension ImageTransform {
    /// Scales down, never up (B96). To decode less in the first place, give the request a `targetSize`.
    public static func resize(_ size: TargetSize) -> ImageTransform {
        ImageTransform(ResizeTransform(size: size))
    }
}
