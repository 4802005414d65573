#if Server
import EaselCore

extension Int {
    /// Creates a length in whole pixels, limited so that sums of lengths never overflow.
    init(length: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) {
        let limit = 1_099_511_627_776.0
        // A comparison with NaN is false.
        self = length > -limit ? Int(Swift.min(length, limit).rounded(rule)) : length <= -limit ? -1 << 40 : 0
    }
}

/// A number for each axis.
struct Factors: Sendable, Hashable {
    var width: Double
    var height: Double
}

/// The size of the image at each step of its processing, with imgproxy's rules. A side of 0 in `target` and
/// `resultCrop` means that no size is requested.
struct ImageGeometry: Sendable, Hashable {
    /// The size of the source after its orientation and the rotation of the options are applied.
    let source: PixelSize
    /// The area of the source that is used.
    let crop: PixelSize
    /// The factors that the area is scaled by.
    private(set) var scale: Factors
    /// The factor of offsets and paddings: the requested pixel ratio, or less if the image is too small for it.
    private(set) var pixelRatio: Double
    /// The size of the area after scaling.
    private(set) var scaled = PixelSize(0, 0)
    /// The requested size in pixels.
    private(set) var target = PixelSize(0, 0)
    /// The size to which the scaled area is cut.
    private(set) var resultCrop = PixelSize(0, 0)
    /// The size to which the result is extended to have the requested proportions.
    private(set) var extended = PixelSize(0, 0)
    /// Whether the result is extended to the requested size.
    private var isExtended = false

    /// - Parameters:
    ///   - source: the size after orientation and rotation.
    ///   - longestSide: the longest side of the result; a larger one is scaled down.
    init(_ options: ProcessingOptions, source: PixelSize, longestSide: Int? = nil) {
        self.source = source
        func side(_ whole: Int, _ requested: Double) -> Int {
            if requested == 0 { return whole }
            return min(whole, requested >= 1 ? Int(requested) : max(1, Self.scaled(whole, by: requested)))
        }
        crop = PixelSize(
            side(source.width, options.crop?.width ?? 0), side(source.height, options.crop?.height ?? 0))
        (scale, pixelRatio) = Self.scale(options, from: crop)
        setSizes(options)
        if let longestSide { limit(options, to: longestSide) }
    }

    /// The size of the result before the padding.
    var unpadded: PixelSize { unpadded(extending: true) }
}

extension ImageGeometry {
    /// Returns the factors of the size and of offsets.
    private static func scale(
        _ options: ProcessingOptions, from source: PixelSize
    ) -> (scale: Factors, pixelRatio: Double) {
        let (width, height) = (Double(source.width), Double(source.height))
        var shrink = shrink(options, from: source)
        shrink.width /= options.zoomWidth
        shrink.height /= options.zoomHeight
        var ratio = options.pixelRatio ?? 1
        if !options.enlarges {
            let least = min(shrink.width, shrink.height)
            if least < 1 {
                shrink.width /= least
                shrink.height /= least
                // The image is smaller than requested, so that a ratio below 1 need not make it smaller still. With an
                // extension, the ratio scales the whole composition.
                if !options.extends.isEnabled { ratio /= least }
            }
            ratio = min(ratio, min(shrink.width, shrink.height))
        }
        if options.minimumWidth > 0, case let limit = width / Double(options.minimumWidth), limit < shrink.width {
            shrink.height *= limit / shrink.width
            shrink.width = limit
        }
        if options.minimumHeight > 0, case let limit = height / Double(options.minimumHeight), limit < shrink.height {
            shrink.width *= limit / shrink.height
            shrink.height = limit
        }
        let scale = Factors(
            width: 1 / min(width, shrink.width / ratio), height: 1 / min(height, shrink.height / ratio))
        return (scale, ratio)
    }

    /// Returns the divisors that bring an image to the requested size, by the kind of resizing.
    private static func shrink(
        _ options: ProcessingOptions, from source: PixelSize
    ) -> Factors {
        let (requestedWidth, requestedHeight) = (options.width ?? 0, options.height ?? 0)
        let width = requestedWidth == 0 ? source.width : requestedWidth
        let height = requestedHeight == 0 ? source.height : requestedHeight
        let shrink = Factors(
            width: Double(source.width) / Double(width), height: Double(source.height) / Double(height))
        var resizing = options.resizing
        if resizing == .auto {
            // Both are wide, or both are high.
            let isAlike = (source.width >= source.height) == (width >= height)
            resizing = isAlike ? .fill : .fit
        }
        if resizing == .force { return shrink }
        if requestedWidth == 0 { return Factors(width: shrink.height, height: shrink.height) }
        if requestedHeight == 0 { return Factors(width: shrink.width, height: shrink.width) }
        let both = resizing == .fit ? max(shrink.width, shrink.height) : min(shrink.width, shrink.height)
        return Factors(width: both, height: both)
    }

    private mutating func setSizes(_ options: ProcessingOptions) {
        target = PixelSize(
            Self.scaled(options.width ?? 0, by: pixelRatio * options.zoomWidth),
            Self.scaled(options.height ?? 0, by: pixelRatio * options.zoomHeight))
        scaled = PixelSize(
            max(1, Self.scaled(crop.width, by: scale.width)), max(1, Self.scaled(crop.height, by: scale.height)))
        resultCrop = target
        if options.resizing == .fillDown, !options.enlarges, target.width > 0, target.height > 0 {
            // An image that is too small keeps the requested proportions.
            let lack = Self.lack(of: scaled, for: target)
            if lack.width > lack.height, lack.width > 1 {
                resultCrop = Self.size(ofWidth: scaled.width, like: target)
            } else if lack.height > lack.width, lack.height > 1 {
                resultCrop = Self.size(ofHeight: scaled.height, like: target)
            }
        }
        extended = PixelSize(0, 0)
        if options.extendsAspectRatio.isEnabled, target.width > 0, target.height > 0 {
            let result = unpadded(extending: false)
            let lack = Self.lack(of: result, for: target)
            if lack.height > lack.width {
                extended = Self.size(ofWidth: result.width, like: target)
            } else if lack.width > lack.height {
                extended = Self.size(ofHeight: result.height, like: target)
            }
        }
        isExtended = options.extends.isEnabled
    }

    private func unpadded(extending: Bool) -> PixelSize {
        let cut = PixelSize(
            resultCrop.width == 0 ? scaled.width : min(scaled.width, resultCrop.width),
            resultCrop.height == 0 ? scaled.height : min(scaled.height, resultCrop.height))
        guard extending else { return cut }
        let first = isExtended ? PixelSize(max(cut.width, target.width), max(cut.height, target.height)) : cut
        return PixelSize(max(first.width, extended.width), max(first.height, extended.height))
    }

    /// Scales everything down so that no side of the result is longer.
    private mutating func limit(_ options: ProcessingOptions, to longest: Int) {
        let insets = padding(options)
        let size = PixelSize(
            unpadded.width + insets.left + insets.right, unpadded.height + insets.top + insets.bottom)
        guard max(size.width, size.height) > longest else { return }
        let factor = Double(longest) / Double(max(size.width, size.height))
        scale.width = max(scale.width * factor, 1 / Double(crop.width))
        scale.height = max(scale.height * factor, 1 / Double(crop.height))
        pixelRatio *= factor
        setSizes(options)
    }

    /// Returns the widths of the edges in pixels.
    func padding(_ options: ProcessingOptions) -> ProcessingOptions.Padding {
        func edge(_ width: Int) -> Int { Int(length: Double(width) * pixelRatio, .toNearestOrEven) }
        let padding = options.padding
        return .init(
            top: edge(padding.top), right: edge(padding.right), bottom: edge(padding.bottom),
            left: edge(padding.left))
    }

    private static func scaled(_ length: Int, by factor: Double) -> Int { Int(length: Double(length) * factor) }

    private static func lack(of size: PixelSize, for target: PixelSize) -> Factors {
        Factors(
            width: Double(target.width) / Double(size.width), height: Double(target.height) / Double(size.height))
    }

    private static func size(ofWidth width: Int, like target: PixelSize) -> PixelSize {
        PixelSize(width, max(1, scaled(width, by: Double(target.height) / Double(target.width))))
    }

    private static func size(ofHeight height: Int, like target: PixelSize) -> PixelSize {
        PixelSize(max(1, scaled(height, by: Double(target.width) / Double(target.height))), height)
    }
}
#endif
