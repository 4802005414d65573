/// Mirrors a picture.
struct FlipTransform: ImageTransforming {
    let axis: FlipAxis

    var identifier: String { "Flip(\(axis.rawValue))" }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        let orientation: ImageOrientation = axis == .horizontal ? .upMirrored : .downMirrored
        let pixels = try image.pixels.upright(from: orientation, isCancelled: isCancelled)
        return image.replacing(
            pixels, deep: try image.deepPixels?.upright(from: orientation, isCancelled: isCancelled))
    }
}

/// Which sides change places when a picture is mirrored.
public enum FlipAxis: String, Sendable, Hashable, CaseIterable {
    /// Left and right.
    case horizontal
    /// Top and bottom.
    case vertical
}

extension ImageTransform {
    /// Mirrors the picture: left to right for `.horizontal`.
    public static func flip(_ axis: FlipAxis) -> ImageTransform { ImageTransform(FlipTransform(axis: axis)) }
}
