/// Blurs a picture.
struct BlurTransform: ImageTransforming {
    let sigma: Double

    init(sigma: Double) {
        self.sigma = sigma.bounded(0...GaussianBoxes.largestSigma)
    }

    var identifier: String { "Blur(\(CanonicalNumber.text(sigma)))" }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        guard sigma > 0 else { return image }
        return image.replacing(try image.pixels.blurred(sigma: sigma, isCancelled: isCancelled))
    }
}

extension ImageTransform {
    /// Blurs by a Gaussian with this standard deviation in pixels: 0, and less, changes nothing; at most 1,000.
    ///
    /// Three box filters stand for the Gaussian, with its variance. SDWebImage's blur radius means the same number.
    public static func blur(sigma: Double) -> ImageTransform { ImageTransform(BlurTransform(sigma: sigma)) }
}
