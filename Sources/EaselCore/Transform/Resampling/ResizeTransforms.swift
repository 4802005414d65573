extension ImageTransform {
    /// Scales to a size; up only with `upscaling`. To decode less in the first place, give the request a `targetSize`. A box
    /// with a side of zero or less leaves the image unchanged.
    ///
    /// - Parameter inLinearLight: whether to scale as `PixelBuffer.resizedInLinearLight`: fine bright patterns keep their
    ///   brightness. It takes several times as long.
    public static func resize(
        _ size: TargetSize, upscaling: Bool = false, inLinearLight: Bool = false
    ) -> ImageTransform {
        let identifier = "Resize\(size.keySuffix)\(upscaling ? "-Up" : "")\(inLinearLight ? "-Linear" : "")"
        return ImageTransform(identifier) { (image, isCancelled) throws(ImageError) in
            let size = upscaling ? size.enlarged(for: image.size) : size.size(for: image.size)
            if size == image.size { return image }
            if inLinearLight {
                return image.replacing(try image.pixels.resizedInLinearLight(to: size, isCancelled: isCancelled))
            }
            return image.replacing(
                try image.pixels.resized(to: size, isCancelled: isCancelled),
                deep: try image.deepPixels?.resized(to: size, isCancelled: isCancelled))
        }
    }

    /// Fills a box of this many pixels exactly: scales the image over it and crops the rest, on both sides alike. Without
    /// `upscaling` an image that is smaller than the box gives as many pixels as it has.
    public static func resizeToFill(_ box: PixelSize, upscaling: Bool = false) -> ImageTransform {
        .pipeline([.resize(.pixels(box, mode: .aspectFill), upscaling: upscaling), .crop(to: box)])
    }
}

extension TargetSize {
    /// Returns `size(for:)`, with images that are smaller than the box enlarged to it.
    fileprivate func enlarged(for size: PixelSize) -> PixelSize {
        guard case .pixels(let box, let mode) = self, box.width > 0, box.height > 0 else { return self.size(for: size) }
        // The smallest multiple that exceeds the box keeps the proportions.
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
