/// Mirrors a picture.
struct FlipTransform: ImageTransforming {
    let axis: FlipAxis

    var identifier: String { "Flip(\(axis.rawValue))" }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        let (width, height) = (image.size.width, image.size.height)
        let pixels = try image.pixels.remade(
            image.size, isOpaque: image.pixels.isOpaque, isCancelled: isCancelled
        ) { y, source, target in
            switch axis {
            case .horizontal:
                let row = source[y]
                for x in 0..<width { target[x] = row[width - 1 - x] }
            case .vertical:
                target.update(from: source[height - 1 - y], count: width)
            }
        }
        return image.replacing(pixels)
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
