public import EaselFoundation

/// Turns pixels into the bytes of one format. Called on Easel's own decode threads, several at once.
public protocol ImageEncoding: Sendable {
    /// The format that it writes.
    var format: ImageFormat { get }

    /// Encodes the pixels of `image`. `EncodeOptions.fitting` does what every format does alike.
    ///
    /// - Throws: `ImageError.unsupported` for a picture that the format cannot hold, `.tooLarge` where it cannot be made small
    ///   enough for `options.maximumByteCount`.
    func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data
}

/// How a picture is written (X152).
///
/// What is written is upright, with the colours that the pixels have: a profile is none of it but where a format says that
/// they are Display P3. EXIF and XMP are dropped, or, in JPEG, PNG and WebP, those that `metadata` has are written.
public struct EncodeOptions: Sendable, Hashable {
    /// From 0 to 1, for formats that lose something; 1 is the best.
    public var quality: Double
    /// What shows through where a format without alpha has to hold a picture with it.
    public var background: Pixel
    /// Whether a format that can do both loses nothing. The quality does not matter then.
    public var isLossless = false
    /// Whether a JPEG comes in scans, the whole picture first, softer: a few percent smaller, and slower to decode.
    public var isProgressive = false
    /// The box that a larger picture is scaled down to fit into; `nil` keeps its size.
    public var maximumPixelSize: PixelSize?
    /// The most bytes that the file may have: at first the quality gives way, down to 0.3, and then the size. `nil` sets no
    /// bound.
    public var maximumByteCount: Int?
    /// What is written beside the pixels, mostly what a coder's `metadata(of:)` has read from the file that they came from;
    /// `nil`, as by default, for none. The orientation in it becomes upright, as the pixels are. Of the other formats and of
    /// animations it is left out.
    public var metadata: FileMetadata?

    /// Options; the defaults are a quality of 0.9 on white, baseline, at the picture's own size.
    public init(
        quality: Double = 0.9, background: Pixel = Pixel(blue: 255, green: 255, red: 255, alpha: 255),
        isLossless: Bool = false, isProgressive: Bool = false, maximumPixelSize: PixelSize? = nil,
        maximumByteCount: Int? = nil, metadata: FileMetadata? = nil
    ) {
        self.quality = quality
        self.background = background
        self.isLossless = isLossless
        self.isProgressive = isProgressive
        self.maximumPixelSize = maximumPixelSize
        self.maximumByteCount = maximumByteCount
        self.metadata = metadata
    }
}
