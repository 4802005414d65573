public import EaselFoundation

/// Turns the bytes of one format into pixels.
///
/// Conforming types are values without state, called on Easel's own decode threads, several at once. They check limits
/// on the header before they allocate, never trust a length in the file, and ask for cancellation between rows or
/// frames through `options.isCancelled`.
public protocol ImageDecoding: Sendable {
    /// The format that it takes. The registry asks it only for files with this format's signature.
    var format: ImageFormat { get }

    /// Reads what the file says of itself, without decoding pixels.
    ///
    /// - Throws: `ImageError.badData` for what is not of this format, is cut off before its header ends, or contradicts itself.
    func header(of data: Data) throws(ImageError) -> ImageHeader

    /// Decodes one frame, upright, at the size that the options ask for.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData` for a damaged file (a truncated one too, unless
    ///   `options.allowsPartial`), `.cancelled`.
    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage
}

/// What a decode is asked for. Every field that changes the pixels is in the cache key.
public struct DecodeOptions: Sendable {
    /// The size to decode to; the decoder reads less of the file where it can.
    public var targetSize: TargetSize
    /// Which frame, counted from 0, composited as shown.
    public var frame: Int
    /// The colours to convert to: sRGB.
    public var colorSpace: ColorSpace
    /// Whether pixels of 16 bits a channel are wanted too.
    public var depth: PixelDepth
    /// What may be allocated.
    public var limits: ImageLimits
    /// Whether a picture whose file ends early is delivered, marked `isPartial`, instead of an error.
    public var allowsPartial: Bool
    /// Asked between rows or frames; a decoder that reads `true` throws `ImageError.cancelled`.
    public var isCancelled: @Sendable () -> Bool

    /// Options; the defaults decode the first frame, whole, at its own size.
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

    /// Leaves the decoder when the load was cancelled meanwhile.
    public func checkCancellation() throws(ImageError) {
        if isCancelled() { throw .cancelled }
    }
}
