public import EaselCore

public import EaselFoundation

/// Reads and writes QOI, the Quite OK Image format, by readers and writers of Easel's own.
public struct QOICoder: ImageDecoding {
    /// A coder; it has no settings.
    public init() {}

    /// `qoi`.
    public var format: ImageFormat { .qoi }

    /// Reads the header alone.
    ///
    /// - Throws: `ImageError.badData` for what is no QOI, or is cut off in its header.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try Self.header(of: data.span)
    }

    /// Decodes the picture.
    ///
    /// A file that ends early is an error, or with `allowsPartial` the pixels that are there over transparency.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let file = data.span
        let header = try Self.header(of: file)
        try options.check(header)
        try options.checkCancellation()
        let size = header.storedSize
        // A byte stands for 62 pixels at most. `check` has multiplied the sides.
        guard options.allowsPartial || size.width * size.height <= (file.count - QOIReader.headerSize) * 62 else {
            throw .badData("The QOI is cut off before its end.")
        }
        var isPartial = false
        let pixels = try PixelBuffer(size: size, isOpaque: false) { (bytes, bytesPerRow) throws(ImageError) in
            guard let canvas = Canvas(bytes, bytesPerRow: bytesPerRow, size: size) else { return }
            isPartial = try !QOIReader.read(file, on: canvas, isCancelled: options.isCancelled)
            if isPartial || header.hasAlpha {
                canvas.premultiply(opaqueWhereUnused: false)
            } else {
                canvas.makeOpaque()
            }
        }
        if isPartial, !options.allowsPartial { throw .badData("The QOI is cut off before its end.") }
        let stored = PixelBuffer(pixels, isOpaque: !header.hasAlpha && !isPartial)
        return try DecodedImage(stored: stored, header: header, options: options, isPartial: isPartial)
    }

    private static func header(of file: Span<UInt8>) throws(ImageError) -> ImageHeader {
        guard file.holds("qoif", at: 0), let width = file.bigEndian32(at: 4), let height = file.bigEndian32(at: 8),
            let channels = file.byte(at: 12), channels == 3 || channels == 4, let space = file.byte(at: 13), space < 2
        else { throw .badData("This is no QOI: its header is damaged or cut off.") }
        return ImageHeader(format: .qoi, storedSize: PixelSize(width, height), hasAlpha: channels == 4)
    }
}
