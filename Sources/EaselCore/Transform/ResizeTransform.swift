/// Scales a picture into a box, by the resampler that decoders use too.
struct ResizeTransform: ImageTransforming {
    let size: TargetSize
    var upscales = false
    var mixesLight = false

    var identifier: String { "Resize\(size.keySuffix)\(upscales ? "-Up" : "")\(mixesLight ? "-Linear" : "")" }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        let size = upscales ? size.enlarged(for: image.size) : size.size(for: image.size)
        if size == image.size { return image }
        if mixesLight {
            return image.replacing(try image.pixels.resizedInLinearLight(to: size, isCancelled: isCancelled))
        }
        return image.replacing(
            try image.pixels.resized(to: size, isCancelled: isCancelled),
            deep: try image.deepPixels?.resized(to: size, isCancelled: isCancelled))
    }
}

extension TargetSize {
    /// As `size(for:)`, but a picture that is smaller than the box grows to it.
    fileprivate func enlarged(for size: PixelSize) -> PixelSize {
        guard case .pixels(let box, let mode) = self, box.width > 0, box.height > 0 else { return self.size(for: size) }
        // As many times as large as makes the box the smaller one; proportions stay.
        let factor = max(
            box.width.dividedRoundingUp(by: size.width), box.height.dividedRoundingUp(by: size.height), 1)
        let (width, tooWide) = size.width.multipliedReportingOverflow(by: factor)
        let (height, tooHigh) = size.height.multipliedReportingOverflow(by: factor)
        guard !tooWide, !tooHigh else { return box }
        return TargetSize.pixels(box, mode: mode).size(for: PixelSize(width, height))
    }
}

extension Int {
    fileprivate func dividedRoundingUp(by divisor: Int) -> Int { self / divisor + (self % divisor == 0 ? 0 : 1) }
}

extension ImageTransform {
    /// Scales to a size; up only where `upscaling` says so (B96). To decode less in the first place, give the request a
    /// `targetSize`. A box with a side of zero or less leaves the picture as it is.
    ///
    /// - Parameter inLinearLight: whether light is mixed in place of levels, as `PixelBuffer.resizedInLinearLight` says: fine
    ///   bright patterns keep their brightness. It takes several times as long.
    public static func resize(
        _ size: TargetSize, upscaling: Bool = false, inLinearLight: Bool = false
    ) -> ImageTransform {
        ImageTransform(ResizeTransform(size: size, upscales: upscaling, mixesLight: inLinearLight))
    }

    /// Fills a box of this many pixels exactly: scales the picture over it and cuts off, at both sides alike, what hangs
    /// over. Without `upscaling` a picture that is smaller than the box gives what of it there is.
    public static func resizeToFill(_ box: PixelSize, upscaling: Bool = false) -> ImageTransform {
        .pipeline([.resize(.pixels(box, mode: .aspectFill), upscaling: upscaling), .crop(to: box)])
    }
}
