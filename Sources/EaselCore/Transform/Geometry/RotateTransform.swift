/// Turns a picture counter-clockwise (X183): by quarters pixel by pixel, by any other angle with bilinear sampling.
struct RotateTransform: ImageTransforming {
    /// From 0 up to 360.
    let degrees: Double
    let isFitting: Bool

    init(degrees: Double, isFitting: Bool) {
        let rest = degrees.isFinite ? degrees.truncatingRemainder(dividingBy: 360) : 0
        // A hair under nothing would round to a whole turn.
        let positive = rest < 0 ? rest + 360 : rest
        self.degrees = positive < 360 ? positive : 0
        self.isFitting = isFitting
    }

    var identifier: String { "Rotate(\(CanonicalNumber.text(degrees)),\(isFitting ? "fit" : "crop"))" }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        let quarters = Int(degrees / 90)
        guard degrees == Double(quarters) * 90 else {
            let rotation = AngleRotation(degrees: degrees, isFitting: isFitting, size: image.size)
            return image.replacing(try rotation.rotated(image.pixels, isCancelled))
        }
        // As pictures are turned that lie so.
        let orientation = [ImageOrientation.up, .left, .down, .right][quarters]
        let turned = try image.pixels.upright(from: orientation, isCancelled: isCancelled)
        if turned.size == image.size || isFitting {
            return image.replacing(
                turned, deep: try image.deepPixels?.upright(from: orientation, isCancelled: isCancelled))
        }
        return image.replacing(try PixelPlacement.centered(turned, on: image.size, background: 0, isCancelled))
    }
}

extension ImageTransform {
    /// Turns the picture counter-clockwise by an angle in degrees.
    ///
    /// Quarter turns move pixels and change none. Any other angle samples bilinearly, and what is outside of the
    /// picture is clear, so that its edges are smooth.
    ///
    /// - Parameter fitting: whether the result is as large as the turned picture needs; else it is as large as the picture
    ///   was, with the same middle, and what hangs over is cut off.
    public static func rotate(degrees: Double, fitting: Bool = true) -> ImageTransform {
        ImageTransform(RotateTransform(degrees: degrees, isFitting: fitting))
    }
}
