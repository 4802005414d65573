extension ImageTransform {
    /// Scales to a size; up only with `upscaling`. To decode less in the first place, give the request a `targetSize`.
    /// A box with a side of zero or less leaves the image unchanged.
    public static func resize(_ size: TargetSize, upscaling: Bool = false) -> ImageTransform {
        let identifier = "Resize\(size.keySuffix)\(upscaling ? "-Up" : "")"
        return ImageTransform(identifier) { (image, isCancelled) throws(ImageError) in
            let size = upscaling ? size.enlarged(for: image.size) : size.size(for: image.size)
            if size == image.size { return image }
            return image.replacing(
                try image.pixels.resized(to: size, isCancelled: isCancelled),
                deep: try image.deepPixels?.resized(to: size, isCancelled: isCancelled))
        }
    }

    /// Fills a box of this many pixels exactly: scales the image over it and crops the rest, on both sides alike.
    /// Without `upscaling` an image that is smaller than the box gives as many pixels as it has.
    public static func resizeToFill(_ box: PixelSize, upscaling: Bool = false) -> ImageTransform {
        .pipeline([.resize(.pixels(box, mode: .aspectFill), upscaling: upscaling), .crop(to: box)])
    }
}

extension TargetSize {
    /// Returns `size(for:)`, with images that are smaller than the box enlarged to it.
    fileprivate func enlarged(for size: PixelSize) -> PixelSize {
        guard case .pixels(let box, let mode) = self, box.width > 0, box.height > 0 else { return self.size(for: size) }
        // A multiple that exceeds the box keeps the proportions.
        let factor = 1 + max(box.width / size.width, box.height / size.height)
        let (width, tooWide) = size.width.multipliedReportingOverflow(by: factor)
        let (height, tooHigh) = size.height.multipliedReportingOverflow(by: factor)
        guard !tooWide, !tooHigh else { return box }
        return TargetSize.pixels(box, mode: mode).size(for: PixelSize(width, height))
    }
}
