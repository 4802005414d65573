#if HEIF
public import EaselCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            try HEIFFile(bytes, limits: ImageLimits(pixels: .max)).header
        }
    }

    /// Decodes the primary picture.
    ///
    /// HEVC gives no picture before it has all of it: a cut-off file is an error even with `allowsPartial`. Once it
    /// has begun to decompress, it cannot be cancelled.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported`, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            let file = try HEIFFile(bytes, limits: options.limits)
            try options.check(file.header)
            try options.checkCancellation()
            let pixels = try file.pixels(for: options.targetSize.size(for: file.header.size))
            try options.checkCancellation()
            return try DecodedImage(stored: pixels, header: file.header, options: options, colors: file.colors)
        }
    }
}
#endif
