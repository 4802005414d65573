public import EaselCore

public import EaselFoundation

/// Reads and writes JPEG through libjpeg-turbo: baseline, progressive, gray, RGB and CMYK. Arithmetic coding and, from version 3 on,
/// lossless files are read where the system's library reads them.
///
/// To a smaller size it decodes less: at 1/2, 1/4 or 1/8 already from the transform, and from a progressive file's first
/// scan alone where that suffices. Only the part of the picture that was read can then show damage.
public struct JPEGCoder: ImageDecoding {
    /// A coder; it has no settings.
    public init() {}

    /// `jpeg`.
    public var format: ImageFormat { .jpeg }

    /// Reads the markers up to the first scan.
    ///
    /// - Throws: `ImageError.badData` for what is not a JPEG or is cut off before its first scan, `.tooLarge` for a side
    ///   of more than 65,500 pixels, which libjpeg does not read, `.unsupported` for samples of other than 8 bits and for kinds of
    ///   JPEG that the system's libjpeg does not decode.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            try JPEGDecompressor(bytes).header()
        }
    }

    /// Decodes the picture.
    ///
    /// A cut-off or damaged file is an error, or, with `allowsPartial`, the picture with gray where data is missing.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported`, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            try Self.decode(bytes, options)
        }
    }

    private static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ options: DecodeOptions
    ) throws(ImageError) -> DecodedImage {
        let decompressor = try JPEGDecompressor(bytes)
        let header = decompressor.header()
        try options.check(header)
        try options.checkCancellation()
        let target = options.storedTargetSize(for: header)
        let scale = JPEGScale(from: header.storedSize, to: target, hasMeanScan: decompressor.hasMeanScan)
        let colors = decompressor.colors()
        let inks =
            decompressor.isCMYK ? CMYK(colors, isInverted: decompressor.isInkInverted, to: options.colorSpace) : nil
        let size = try decompressor.begin(scale)
        try decompressor.readScans(isCancelled: options.isCancelled)
        let pixels = try PixelBuffer(size: size, isOpaque: true) { (target, bytesPerRow) throws(ImageError) in
            try decompressor.readRows(
                into: target, bytesPerRow: bytesPerRow, height: size.height, isCancelled: options.isCancelled)
            if let inks, let canvas = Canvas(target, bytesPerRow: bytesPerRow, size: size) {
                try inks.convert(canvas, isCancelled: options.isCancelled)
            }
        }
        let isDamaged = decompressor.isDamaged
        if isDamaged, !options.allowsPartial {
            throw .badData("The JPEG is damaged or cut off: \(decompressor.message).")
        }
        let scaled = try pixels.resized(
            to: target, extent: scale.extent(of: header.storedSize, decodedAs: size), isCancelled: options.isCancelled)
        return try DecodedImage(
            stored: scaled, header: header, options: options, colors: inks.map { $0.colors } ?? colors,
            isPartial: isDamaged)
    }
}
