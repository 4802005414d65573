#if Server
import EaselCore

/// A transform that trims an image and then makes the result of what is left, whose size is known only then.
struct TrimmedTransform: ImageTransforming {
    let identifier: String
    private let trim: ProcessingOptions.Trim
    private let options: ProcessingOptions
    private let watermark: WatermarkImage?
    private let limits: ResultLimits

    init(
        _ trim: ProcessingOptions.Trim, _ options: ProcessingOptions, _ watermark: WatermarkImage?,
        _ limits: ResultLimits
    ) {
        self.trim = trim
        self.options = options
        self.watermark = watermark
        self.limits = limits
        identifier =
            "Trimmed(\(options.pixelKey),\(limits.pixels),\(limits.side ?? 0),\(watermark?.identifier ?? ""))"
    }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        let transform = ImageTransform.trim(
            border(of: image), tolerance: UInt8(trim.tolerance.rounded()), equalColumns: trim.isEqualHorizontally,
            equalRows: trim.isEqualVertically)
        let trimmed = try image.applying([transform], isCancelled: isCancelled)
        let geometry = ImageGeometry(
            options, source: options.rotated(trimmed.size), longestSide: options.longestSide(limits))
        do throws(ImageURLError) {
            try geometry.check(options, limits)
        } catch {
            throw .tooLarge(.pixels(geometry.unpadded, limit: limits.pixels))
        }
        let steps = ProcessingSteps(
            options, geometry, size: trimmed.size, isScaled: false, watermark: watermark, isAnimated: false)
        return try trimmed.applying(steps.transforms, isCancelled: isCancelled)
    }

    /// Magenta stands for transparency in an image that has it, as in imgproxy.
    private func border(of image: DecodedImage) -> TrimBorder {
        guard let color = trim.color else { return .corner }
        return color == ImageColor(0xFF00FF) && !image.pixels.isOpaque ? .clear : .color(color)
    }
}
#endif
