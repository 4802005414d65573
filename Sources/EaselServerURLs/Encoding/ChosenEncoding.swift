#if Server
package import EaselCore

/// The formats and qualities of a server.
package struct EncodingSettings: Sendable, Hashable {
    /// The formats that are chosen if a client accepts them, the first one first.
    package var negotiated: [ImageFormat] = [.jxl, .avif, .webp]
    /// From 1 to 100, by format.
    package var qualities: [ImageFormat: Int] = [.jpeg: 80, .webp: 75, .avif: 65, .jxl: 80]

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
        ChosenEncoding(format: .jpeg, options: EncodeOptions(), keepsAnimation: false, isNegotiated: true)
    }

    /// Whether the source is answered as it is: with `raw`, or with `skip_processing` of its format unless another
    /// format is asked for.
    package func skipsProcessing(of format: ImageFormat) -> Bool {
        isRaw || (skippedFormats.contains(format) && (self.format ?? format) == format)
    }
}
#endif
