#if HEIF
public import EaselCore

public import EaselFoundation

/// Reads HEIC and HEIF through libheif: the primary picture, of 8 bits or more, with alpha.
///
/// The file's own rotation, mirroring and cropping are applied, and its EXIF orientation is not: that would turn it
/// twice. To a smaller size an embedded thumbnail is taken where it is large enough.
public struct HEICCoder: ImageDecoding {
    /// A coder; it has no settings.
    public init() {}

    /// `heic`.
    public var format: ImageFormat { .heic }

    /// Reads the boxes; no pixel is decompressed.
    ///
    /// - Throws: `ImageError.badData` for what is no HEIF or is cut off, `.unsupported` for an image sequence without
    ///   a still picture, which libheif does not read.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try HEIFFile.header(of: data)
    }

    /// Decodes the primary picture.
    ///
    /// HEVC gives no picture before it has all of it: a cut-off file is an error even with `allowsPartial`. A cancelled load
    /// leaves a large picture, which nothing can interrupt, to a thread of its own.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported`, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try HEIFFile.decode(data, options)
    }
}
#endif
