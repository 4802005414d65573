#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
/// What is written is upright sRGB, as the pixels are: of the file that they came from, neither EXIF nor a profile is kept.
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

    /// Options; the defaults are a quality of 0.9 on white, baseline, at the picture's own size.
    public init(
        quality: Double = 0.9, background: Pixel = Pixel(blue: 255, green: 255, red: 255, alpha: 255),
        isLossless: Bool = false, isProgressive: Bool = false, maximumPixelSize: PixelSize? = nil,
        maximumByteCount: Int? = nil
    ) {
        self.quality = quality
        self.background = background
        self.isLossless = isLossless
        self.isProgressive = isProgressive
        self.maximumPixelSize = maximumPixelSize
        self.maximumByteCount = maximumByteCount
    }
}
