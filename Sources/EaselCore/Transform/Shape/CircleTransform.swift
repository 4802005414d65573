/// Cuts the largest circle out of the middle of a picture.
struct CircleTransform: ImageTransforming {
    let border: ImageBorder?

    var identifier: String {
        border.map { "Circle(\(CanonicalNumber.text($0.width)),\($0.color))" } ?? "Circle"
    }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        let square = try CropTransform(area: .square).apply(to: image, isCancelled: isCancelled)
        return try RoundCornersTransform(radii: CornerRadii(Double(square.size.width) / 2), border: border)
            .apply(to: square, isCancelled: isCancelled)
    }
}

extension ImageTransform {
    /// The largest circle in the middle, on a clear square.
    public static let circle = ImageTransform(CircleTransform(border: nil))

    /// The largest circle in the middle, with a line along its edge.
    public static func circle(border: ImageBorder) -> ImageTransform {
        ImageTransform(CircleTransform(border: border))
    }
}
