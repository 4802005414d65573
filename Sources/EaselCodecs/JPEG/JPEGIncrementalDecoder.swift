public import EaselCore

import EaselFoundation

extension JPEGCoder: IncrementalDecoding {
    /// Shows the rows of a baseline file as they come, and a file of several scans better with each.
    ///
    /// For a target size it decodes at the same fraction as `decode`, and says when the scans that have come suffice for
    /// it. Of a file with arithmetic coding, which libjpeg cannot read in pieces, nothing is shown.
    public func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder {
        JPEGIncrementalDecoder(options)
    }
}

/// One JPEG that is arriving.
private final class JPEGIncrementalDecoder: IncrementalDecoder {
    private let options: DecodeOptions
    private var stream: JPEGStream?
    private var picture: JPEGArrivingPicture?

    init(_ options: DecodeOptions) {
        self.options = options
    }

    func append(_ bytes: Data) throws(ImageError) {
        try options.checkCancellation()
        let stream = try startedStream()
        // What comes after the picture is not even copied.
        if let picture, picture.isWhole || !stream.isInterruptible { return }
        try bytes.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in try stream.append(bytes) }
        if picture == nil { picture = try JPEGArrivingPicture(stream, options) }
        try picture?.read(isCancelled: options.isCancelled)
        if stream.isDamaged, !options.allowsPartial { throw stream.damage }
    }

    private func startedStream() throws(ImageError) -> JPEGStream {
        if let stream { return stream }
        let stream = try JPEGStream()
        self.stream = stream
        return stream
    }

    var isSufficient: Bool { picture?.isSufficient ?? false }

    func preview() throws(ImageError) -> ImagePreview? {
        try options.checkCancellation()
        return try picture?.preview(options)
    }
}
