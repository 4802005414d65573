#if Server
package import EaselCore

/// The formats, qualities and efforts of a server.
package struct EncodingSettings: Sendable, Hashable {
    /// The formats that are chosen if a client accepts them, the first one first.
    package var negotiated: [ImageFormat] = [.jxl, .avif, .webp]
    /// From 1 to 100, by format.
    package var qualities: [ImageFormat: Int] = [.jpeg: 80, .webp: 75, .avif: 65, .jxl: 80]
    /// `EncodeOptions.effort` by format.
    package var efforts: [ImageFormat: Int] = [.jpeg: 3, .png: 0, .apng: 0, .webp: 5, .avif: 2, .jxl: 4]
    /// The efforts while requests wait.
    package var effortsUnderLoad: [ImageFormat: Int] = [.jpeg: 0, .png: 0, .apng: 0, .webp: 2, .avif: 1, .jxl: 3]

    package init() {}
}

/// The encoding of a result.
package struct ChosenEncoding: Sendable, Hashable {
    package var format: ImageFormat
    package var options: EncodeOptions
    /// Whether all frames of the source are written.
    package var keepsAnimation: Bool
    /// Whether the format depends on the `Accept` header of the request.
    package var isNegotiated: Bool
}

extension ProcessingOptions {
    /// Returns the format and the options of the encode, by what the client accepts and what the source is.
    ///
    /// - Parameters:
    ///   - header: the header of the source.
    ///   - isUnderLoad: whether files may be larger, to save time.
    package func encoding(
        for header: ImageHeader, accepts: AcceptedFormats, settings: EncodingSettings = EncodingSettings(),
        isUnderLoad: Bool = false
    ) -> ChosenEncoding {
        let isAnimated = header.frameCount > 1 && !isAnimationDisabled
        let chosen = format ?? Self.format(of: header, accepts, settings, isAnimated, hasAlpha(header))
        // A still animated PNG is a PNG.
        let format = chosen == .apng && !isAnimated ? .png : chosen
        return ChosenEncoding(
            format: format, options: encodeOptions(format, settings, isUnderLoad),
            keepsAnimation: isAnimated && Self.animatedFormats.contains(format),
            isNegotiated: self.format == nil && !settings.negotiated.isEmpty)
    }

    /// Whether the source is answered as it is: with `raw`, or unless another format is asked for, with
    /// `skip_processing` of its format, and an SVG always.
    package func skipsProcessing(of format: ImageFormat) -> Bool {
        if isRaw { return true }
        if format == .svg { return self.format == nil }
        return skippedFormats.contains(format) && (self.format ?? format) == format
    }

    /// The formats that Easel writes animations in.
    private static let animatedFormats: Set<ImageFormat> = [.gif, .webp, .apng]

    /// The formats that every client shows.
    private static let commonFormats: Set<ImageFormat> = [.jpeg, .png, .apng, .gif]

    /// Returns the first format that the client accepts, else that of the source if every client shows it, else one
    /// that can store the image.
    private static func format(
        of header: ImageHeader, _ accepts: AcceptedFormats, _ settings: EncodingSettings, _ isAnimated: Bool,
        _ hasAlpha: Bool
    ) -> ImageFormat {
        let accepted = settings.negotiated.first { format in
            accepts.contains(format) && (!isAnimated || animatedFormats.contains(format))
        }
        if let accepted { return accepted }
        if commonFormats.contains(header.format) { return header.format }
        return isAnimated ? .gif : hasAlpha ? .png : .jpeg
    }

    /// Whether a pixel of the result can be transparent.
    private func hasAlpha(_ header: ImageHeader) -> Bool {
        guard background == nil || backgroundAlpha < 1 else { return false }
        return header.hasAlpha || padding != Padding() || extends.isEnabled || extendsAspectRatio.isEnabled
    }

    private func encodeOptions(
        _ format: ImageFormat, _ settings: EncodingSettings, _ isUnderLoad: Bool
    ) -> EncodeOptions {
        let percent = quality ?? formatQualities[format] ?? settings.qualities[format] ?? 80
        var options = EncodeOptions(quality: Self.quality(percent, of: format))
        if let background { options.background = background }
        options.isProgressive = isProgressive ?? false
        options.effort = (isUnderLoad ? settings.effortsUnderLoad : settings.efforts)[format]
        if hasFullChroma, format == .jpeg { options.chromaSubsampling = .full }
        // Fewer bytes of a format without loss would mean fewer pixels.
        if [.jpeg, .webp, .avif, .jxl].contains(format) { options.maximumByteCount = maximumByteCount }
        return options
    }

    /// Returns a percentage as a quality from 0 to 1. 100 is not lossless.
    private static func quality(_ percent: Int, of format: ImageFormat) -> Double {
        // libjpeg's scale begins at 1.
        format == .jpeg ? Double(percent - 1) / 99 : min(Double(percent) / 100, 0.999)
    }
}
#endif
