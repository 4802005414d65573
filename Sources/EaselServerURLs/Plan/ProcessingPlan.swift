#if Server
package import EaselCore

/// The load that makes the pixels of a result.
package struct ProcessingPlan: Sendable, Hashable {
    /// The size to decode to.
    package var targetSize: TargetSize
    /// The frame to decode, unless all are.
    package var frame: Int
    package var colorSpace: ColorSpace
    /// The changes of each frame after the decode, in order.
    package var transforms: [ImageTransform]
    /// The size of the result; `nil` if it depends on the pixels, which are trimmed.
    package var size: PixelSize?
    /// An estimate of the bytes of pixels that exist at a time, for one frame.
    package var byteCount: Int
}

/// The limits of a result.
package struct ResultLimits: Sendable, Hashable {
    /// The most pixels.
    package var pixels = 50_000_000
    /// The longest side. A larger result is scaled down to it. `nil` for no limit.
    package var side: Int?

    package init() {}
}

extension ProcessingOptions {
    /// Returns the load that makes the pixels of the result.
    ///
    /// - Parameters:
    ///   - header: the header of the source, which sizes are computed from.
    ///   - keepsAnimation: whether all frames are used (`ChosenEncoding.keepsAnimation`).
    ///   - watermark: the image that the option `watermark` places.
    /// - Throws: an error for a page or a watermark that does not exist, and for a result beyond the limits.
    package func plan(
        for header: ImageHeader, keepsAnimation: Bool, watermark: WatermarkImage? = nil,
        limits: ResultLimits = ResultLimits()
    ) throws(ImageURLError) -> ProcessingPlan {
        guard keepsAnimation || page < header.frameCount else {
            throw .invalidOption("page", "\(page)", expected: "a page from 0 to \(header.frameCount - 1)")
        }
        if self.watermark != nil, watermark == nil {
            throw .unsupportedOption("watermark", "needs an image that the server does not have")
        }
        let source = appliesOrientation ? header.size : header.storedSize
        var plan = ProcessingPlan(
            targetSize: .original, frame: keepsAnimation ? 0 : page, colorSpace: pixelColorSpace(of: header),
            transforms: appliesOrientation ? [] : header.orientation.undoing, byteCount: 0)
        // An animation is not trimmed: its frames would differ in size.
        if let trim, !keepsAnimation {
            plan.transforms.append(ImageTransform(TrimmedTransform(trim, self, watermark, limits)))
            plan.byteCount = Self.byteCount(header, decodedAs: source, largest: source)
            return plan
        }
        let geometry = ImageGeometry(self, source: rotated(source), longestSide: longestSide(limits))
        try geometry.check(self, limits)
        let decoded = geometry.isReduction ? rotated(geometry.scaledSource) : source
        let upright = appliesOrientation ? decoded : header.orientation.upright(decoded)
        if upright != header.size { plan.targetSize = .pixels(upright, mode: .fill) }
        let steps = ProcessingSteps(
            self, geometry, size: decoded, isScaled: geometry.isReduction, watermark: watermark,
            isAnimated: keepsAnimation)
        plan.transforms += steps.transforms
        plan.size = steps.size
        plan.byteCount = Self.byteCount(
            header, decodedAs: upright,
            largest: PixelSize(
                max(decoded.width, geometry.scaled.width, steps.size.width),
                max(decoded.height, geometry.scaled.height, steps.size.height)))
        return plan
    }

    /// Returns the size of an image after the rotation of the options.
    func rotated(_ size: PixelSize) -> PixelSize {
        rotation % 180 == 0 ? size : PixelSize(size.height, size.width)
    }

    func longestSide(_ limits: ResultLimits) -> Int? { self.limits.resultSide ?? limits.side }

    /// Returns the colors of the pixels: those of the options, or Display P3 if the profile of the source is kept.
    private func pixelColorSpace(of header: ImageHeader) -> ColorSpace {
        if let colorSpace { return colorSpace }
        return !stripsColorProfile && header.profileName?.contains("P3") == true ? .displayP3 : .sRGB
    }

    /// Returns the bytes of the decoder's own pixels, of the decoded ones, and of the input and output of a transform.
    private static func byteCount(_ header: ImageHeader, decodedAs size: PixelSize, largest: PixelSize) -> Int {
        let stored = header.storedSize.area ?? 0
        // A JPEG is decoded at a half, a quarter or an eighth of its size.
        let divisor =
            [8, 4, 2].first { header.size.width / $0 >= size.width && header.size.height / $0 >= size.height } ?? 1
        let source = header.format == .jpeg ? stored / (divisor * divisor) : stored
        return 4 * (source + (size.area ?? 0) + 2 * (largest.area ?? 0))
    }
}

extension ImageGeometry {
    /// Whether no side is scaled up, so that the decoder can scale.
    var isReduction: Bool { scale.width <= 1 && scale.height <= 1 }

    /// The size of the whole source at the factors of the area.
    var scaledSource: PixelSize {
        func side(_ whole: Int, _ area: Int, _ scaled: Int, _ factor: Double) -> Int {
            whole == area ? scaled : max(scaled, Int(length: Double(whole) * factor))
        }
        return PixelSize(
            side(source.width, crop.width, scaled.width, scale.width),
            side(source.height, crop.height, scaled.height, scale.height))
    }

    /// Throws if an image of any step that is not decoded has too many pixels.
    func check(_ options: ProcessingOptions, _ limits: ResultLimits) throws(ImageURLError) {
        let padding = padding(options)
        let result = PixelSize(
            unpadded.width + padding.left + padding.right, unpadded.height + padding.top + padding.bottom)
        for size in isReduction ? [result] : [scaled, result] {
            guard let area = size.area, area <= limits.pixels else {
                throw .resultTooLarge("\(size)", limit: limits.pixels)
            }
        }
    }
}

extension ImageOrientation {
    /// The transforms of an upright image that give the stored one.
    fileprivate var undoing: [ImageTransform] {
        switch self {
        case .up: []
        case .upMirrored: [.flip(.horizontal)]
        case .down: [.rotate(degrees: 180)]
        case .downMirrored: [.flip(.vertical)]
        case .leftMirrored: [.flip(.horizontal), .rotate(degrees: 90)]
        case .right: [.rotate(degrees: 90)]
        case .rightMirrored: [.flip(.horizontal), .rotate(degrees: 270)]
        case .left: [.rotate(degrees: 270)]
        }
    }
}
#endif
