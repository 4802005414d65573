#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Turns pixels into the bytes of one format. Called on Easel's own decode threads, several at once.
public protocol ImageEncoding: Sendable {
    /// The format that it writes.
    var format: ImageFormat { get }

    /// Encodes the pixels of `image`.
    ///
    /// - Throws: `ImageError.unsupported` for a picture that the format cannot hold.
    func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data
}

/// How a picture is written (X152).
public struct EncodeOptions: Sendable, Hashable {
    /// From 0 to 1, for formats that lose something; 1 is the best.
    public var quality: Double
    /// What shows through where a format without alpha has to hold a picture with it.
    public var background: Pixel

    /// Options; the defaults are a quality of 0.9 on white.
    public init(quality: Double = 0.9, background: Pixel = Pixel(blue: 255, green: 255, red: 255, alpha: 255)) {
        self.quality = quality
        self.background = background
    }
}
