#if TIFF
public import EaselCore

public import EaselFoundation

/// Reads TIFF and BigTIFF through libtiff: in strips and tiles, of every compression that libtiff has, bit maps, gray,
/// palettes, RGB, CMYK and YCbCr, in whole numbers up to 32 bits and in floating point up to 64, all samples of a pixel together
/// or in planes. Of a file with several pages, the first; of bands beyond colours and alpha, none.
///
/// A request for 16 bits a channel gets them of gray, RGB and CMYK that have more than 8. Profiles are not applied. Numbers in
/// floating point are taken for light from 0 to 1; of signed ones, 0 and what is below is black.
public struct TIFFCoder: ImageDecoding {
    /// A coder; it has no settings.
    public init() {}

    /// `tiff`.
    public var format: ImageFormat { .tiff }

    /// Reads the first page's directory.
    ///
    /// - Throws: `ImageError.badData` for what is no TIFF, or damaged before its first picture.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            try TIFFReader(bytes, limits: ImageLimits()).header
        }
    }

    /// Decodes the first page.
    ///
    /// A damaged or cut-off file is an error, or with `allowsPartial` what is there of it over transparency.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported` for colours, numbers and
    ///   compressions that libtiff does not know, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            let reader = try TIFFReader(bytes, limits: options.limits)
            let header = reader.header
            try options.check(header)
            try options.checkCancellation()
            try reader.checkCompression()
            let picture = try TIFFPicture(reader, size: header.storedSize, isCancelled: options.isCancelled)
            if picture.isPartial, !options.allowsPartial { throw reader.failure }
            let image = try DecodedImage(
                stored: picture.pixels, header: header, options: options, isPartial: picture.isPartial)
            guard options.wantsDeepPixels(of: header), !picture.isPartial,
                let samples = TIFFSamples(reader.fields), samples.isDeep
            else { return image }
            // Rows are read from the top on, so that it takes another reader.
            let deep = try samples.deepPixels(
                TIFFReader(bytes, limits: options.limits), size: header.storedSize, isCancelled: options.isCancelled)
            return try image.withDeepPixels(deep, header: header, options: options, colors: .sRGB)
        }
    }
}
#endif
