public import EaselCore

import EaselFoundation

extension PNGCoder: IncrementalDecoding {
    /// Shows rows as they come, of an interlaced file blocks that get finer.
    ///
    /// Of an animated file this is the picture for viewers without animation, mostly the first frame.
    public func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder {
        PNGIncrementalDecoder(options)
    }
}

/// One PNG that is arriving.
private final class PNGIncrementalDecoder: IncrementalDecoder {
    private let options: DecodeOptions
    private let feed = PNGFeed()

    init(_ options: DecodeOptions) {
        self.options = options
    }

    func append(_ bytes: Data) throws(ImageError) {
        try options.checkCancellation()
        try feed.append(bytes.span, options)
    }

    func preview() throws(ImageError) -> ImagePreview? {
        try options.checkCancellation()
        return try feed.picture?.preview(options)
    }
}
