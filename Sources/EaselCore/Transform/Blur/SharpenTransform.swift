/// Sharpens a picture by what blurring it takes away.
struct SharpenTransform: ImageTransforming {
    let sigma: Double
    let amount: Double

    init(sigma: Double, amount: Double) {
        self.sigma = sigma.bounded(0...GaussianBoxes.largestSigma)
        self.amount = amount.bounded(0...100)
    }

    var identifier: String { "Sharpen(\(CanonicalNumber.text(sigma)),\(CanonicalNumber.text(amount)))" }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        guard sigma > 0, amount > 0 else { return image }
        let blurred = try image.pixels.blurred(sigma: sigma, isCancelled: isCancelled)
        let factor = Int32((amount * 256).rounded())
        let width = image.size.width
        let pixels = try blurred.remade(image.size, isOpaque: image.pixels.isOpaque, isCancelled: isCancelled) {
            y, soft, target in
            image.pixels.withRows(()) { source in
                let (row, soft) = (source[y], soft[y])
                for x in 0..<width {
                    let old = PremultipliedPixel.components(row[x])
                    let difference = old &- PremultipliedPixel.components(soft[x])
                    var new = old &+ ((difference &* factor &+ 128) &>> 8)
                    // Alpha stays, and no colour comes out above it.
                    new.w = old.w
                    target[x] = PremultipliedPixel.word(
                        new.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: old.w)))
                }
            }
        }
        return image.replacing(pixels)
    }
}

extension ImageTransform {
    /// Unsharp masking: adds `amount` times the difference to the picture blurred by `sigma`. Alpha stays as it is. 0, and
    /// less, changes nothing; at most 100.
    public static func sharpen(sigma: Double = 1, amount: Double = 0.5) -> ImageTransform {
        ImageTransform(SharpenTransform(sigma: sigma, amount: amount))
    }
}
