public import EaselCore

public import EaselFoundation

/// Reads Windows and OS/2 bitmaps of 1 to 32 bits, run-length codes and bit fields included.
///
/// The reader is Easel's own. The fourth byte of a pixel is alpha only where a header of version 3 or later says so, and not
/// where it is 0 everywhere: many writers leave it so.
public struct BMPCoder: ImageDecoding {
    /// A coder; it has no settings.
    public init() {}

    /// `bmp`.
    public var format: ImageFormat { .bmp }

    /// Reads the header alone.
    ///
    /// - Throws: `ImageError.badData` for what is no bitmap, is cut off in its header, or contradicts itself.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try BMPHeader(data.span).imageHeader(format: .bmp)
    }

    /// Decodes the picture.
    ///
    /// A file that ends early is an error, or with `allowsPartial` the rows that are there over transparency.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let file = data.span
        let bitmap = try BMPHeader(file)
        let header = bitmap.imageHeader(format: .bmp)
        try options.check(header)
        try options.checkCancellation()
        // Uncompressed pixels that the file cannot hold are not worth their memory.
        guard bitmap.pixels < file.count else { throw .badData("The BMP is cut off before its pixels.") }
        let picture = try BMPPicture(bitmap, in: file, isCancelled: options.isCancelled)
        if picture.isPartial, !options.allowsPartial { throw .badData("The BMP is cut off before its end.") }
        return try DecodedImage(
            stored: picture.pixels, header: header, options: options, isPartial: picture.isPartial)
    }
}

extension BMPHeader {
    /// What the header comes to.
    func imageHeader(format: ImageFormat) -> ImageHeader {
        let bitDepth =
            switch bitCount {
            case ...8: bitCount
            case 16: 5
            default: 8
            }
        return ImageHeader(format: format, storedSize: size, hasAlpha: hasAlpha, bitDepth: bitDepth)
    }
}
