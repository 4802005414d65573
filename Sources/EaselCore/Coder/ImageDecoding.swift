public import EaselFoundation

/// A decoder of one format.
///
/// Conforming types are values without state, called on several of Easel's decode threads at once. They check limits on
/// the header before they allocate, never trust a length in the file, and check `options.isCancelled` between rows or
/// frames.
public protocol ImageDecoding: Sendable {
    /// The format that it decodes. The registry uses it only for files with the signature of this format.
    var format: ImageFormat { get }

    /// Returns the header of a file without decoding pixels.
    ///
    /// - Throws: `ImageError.badData` if the file is not of this format, ends within its header, or contradicts itself.
    func header(of data: Data) throws(ImageError) -> ImageHeader

    /// Decodes one frame, upright, at the size of the options.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData` for a damaged file (a truncated one too, unless
    ///   `options.allowsPartial`), `.cancelled`.
    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage
}

/// The options of a decode. Every field that changes the pixels is in the cache key.
public struct DecodeOptions: Sendable {
    /// The size to decode to; the decoder reads less of the file if it can.
    public var targetSize: TargetSize
    /// The number of the frame, counted from 0, composited as shown.
    public var frame: Int
    /// The colors to convert to.
    public var colorSpace: ColorSpace
    /// Whether to decode 16 bits per channel too.
    public var depth: PixelDepth
    /// The headroom of the display for HDR from a gain map; see `ImageRequest.hdrHeadroom`.
    public var hdrHeadroom: Double? = nil
    /// The limits of the file and of allocations.
    public var limits: ImageLimits
    /// Whether a file that ends early gives an image, marked `isPartial`, instead of an error.
    public var allowsPartial: Bool
    /// Called between rows or frames; on `true` the decoder throws `ImageError.cancelled`.
    public var isCancelled: @Sendable () -> Bool

    /// Creates options; the defaults decode the first frame completely at its own size.
    public init(
        targetSize: TargetSize = .original, frame: Int = 0, colorSpace: ColorSpace = .sRGB,
        depth: PixelDepth = .eight, limits: ImageLimits = ImageLimits(), allowsPartial: Bool = false,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.targetSize = targetSize
        self.frame = frame
        self.colorSpace = colorSpace
        self.depth = depth
        self.limits = limits
        self.allowsPartial = allowsPartial
        self.isCancelled = isCancelled
    }

    /// Throws `ImageError.cancelled` if the load was cancelled.
    package func checkCancellation() throws(ImageError) {
        if isCancelled() { throw .cancelled }
    }
}

/// A decoder of a format with animations.
public protocol AnimationDecoding: ImageDecoding {
    /// Returns a decoder of the frames of one file, which it retains.
    ///
    /// - Throws: `ImageError.badData` if the file is not of this format, `.tooLarge` if it exceeds the limits.
    func makeAnimationDecoder(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> any AnimationDecoder

    /// Returns the header of the beginning of a file, with its complete frames only: at least two, else `nil`. A
    /// decoder with `allowsPartial` gives these frames. By default `nil`: the animation is not played before its file
    /// is complete.
    func header(ofBeginning data: Data) -> ImageHeader?
}

extension AnimationDecoding {
    /// Returns `nil`: the animation is not played before the file is complete.
    public func header(ofBeginning data: Data) -> ImageHeader? { nil }
}

/// A decoder of the frames of one animation, composited as shown, in any order. Used by one thread at a time, on
/// Easel's decode threads.
///
/// The frame after the last one costs one frame's work. Any other costs that of the frames since the nearest one from
/// which compositing can start. The state kept for that is bounded by a few frames.
public protocol AnimationDecoder: AnyObject {
    /// The header of the file: size, count, durations, loops.
    var header: ImageHeader { get }

    /// Returns a frame, counted from 0, upright and of the size of the options.
    ///
    /// - Throws: `ImageError.unsupported` if there is no such frame, `.badData` for a damaged frame, `.cancelled`.
    func frame(_ index: Int, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage
}

/// A decoder of a format whose images can be shown before their files are complete.
public protocol IncrementalDecoding: ImageDecoding {
    /// Returns a decoder for one arriving file.
    func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder
}

/// A decoder of an arriving file. Used by one thread at a time, on Easel's decode threads.
///
/// The work is in proportion to the length of the file, however small the pieces.
public protocol IncrementalDecoder: AnyObject {
    /// Appends the next bytes of the file.
    ///
    /// - Throws: the errors of `ImageDecoding.decode`, but never because the file is incomplete. After an error the
    ///   decoder must not be used.
    func append(_ bytes: Data) throws(ImageError)

    /// Whether the rest of the file cannot change the image at the size of the options, so that it need not be loaded.
    /// O(1). By default `false`: unknown. Read after `append` and after `preview`.
    var isSufficient: Bool { get }

    /// Returns the image so far, upright, of the size of the options and marked `isPartial`, or `nil` if there is
    /// nothing new to show. Missing pixels are transparent, or estimated by the format.
    ///
    /// - Throws: the errors of `ImageDecoding.decode`.
    func preview() throws(ImageError) -> DecodedImage?
}

extension IncrementalDecoder {
    /// `false`: unknown.
    public var isSufficient: Bool { false }
}

extension IncrementalDecoder {
    /// Returns `preview()`, and `isSufficient` after it.
    package func imagePreview() throws(ImageError) -> ImagePreview? {
        try preview().map { ImagePreview(image: $0, isSufficient: isSufficient) }
    }
}

/// An image of an incomplete file.
package struct ImagePreview: Sendable {
    package var image: DecodedImage
    /// Whether the rest of the file cannot change the image.
    package var isSufficient: Bool

    package init(image: DecodedImage, isSufficient: Bool = false) {
        self.image = image
        self.isSufficient = isSufficient
    }
}
