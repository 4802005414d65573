public import EaselCore
public import EaselFoundation

/// Reads Windows and OS/2 bitmaps of 1 to 32 bits, including run-length encoding and bit fields.
///
/// The parser is part of Easel. The fourth byte of a pixel is alpha only if a header of version 3 or later declares it
/// and it is not 0 in every pixel, which many writers produce.
public struct BMPCoder: ImageDecoding {
    /// Creates a coder.
    public init() {}

    /// The `bmp` format.
    public var format: ImageFormat { .bmp }

    /// Reads only the header.
    ///
    /// - Throws: `ImageError.badData` if the data is not a bitmap, is truncated in its header, or is inconsistent.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try BMPHeader(data.span).imageHeader(format: .bmp)
    }

    /// Decodes the image.
    ///
    /// Throws for a truncated file, unless `allowsPartial` is set. Then missing rows are transparent.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let file = data.span
        let bitmap = try BMPHeader(file)
        let header = bitmap.imageHeader(format: .bmp)
        try options.check(header)
        try options.checkCancellation()
        // Rejects a file without pixels before allocation.
        guard bitmap.pixels < file.count else { throw .badData("The BMP is cut off before its pixels.") }
        let image = try BMPImage(bitmap, in: file, isCancelled: options.isCancelled)
        if image.isPartial, !options.allowsPartial { throw .badData("The BMP is cut off before its end.") }
        return try DecodedImage(
            stored: image.pixels, header: header, options: options, isPartial: image.isPartial)
    }
}

extension BMPHeader {
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

struct BMPImage {
    let pixels: PixelBuffer
    /// Whether the file is truncated. Missing pixels are transparent.
    let isPartial: Bool

    init(_ header: BMPHeader, in file: Span<UInt8>, isCancelled: () -> Bool) throws(ImageError) {
        var isComplete = false
        let pixels = try PixelBuffer(size: header.size, isOpaque: false) { (bytes, bytesPerRow) throws(ImageError) in
            guard let canvas = Canvas(bytes, bytesPerRow: bytesPerRow, size: header.size) else { return }
            isComplete = try Self.draw(header, file, on: canvas, isCancelled)
        }
        self.pixels = isComplete && !header.hasAlpha ? PixelBuffer(pixels, isOpaque: true) : pixels
        isPartial = !isComplete
    }

    /// Draws the bitmap. Returns whether it is complete.
    private static func draw(
        _ header: BMPHeader, _ file: Span<UInt8>, on canvas: Canvas, _ isCancelled: () -> Bool
    ) throws(ImageError) -> Bool {
        let colors = header.bitCount <= 8 ? header.colors(in: file) : []
        guard header.compression == .none else {
            canvas.clear(.whole(header.size))
            var runs = BMPRunLength(header: header, colors: colors)
            return try runs.draw(file, on: canvas, isCancelled: isCancelled)
        }
        let rows = BMPRows(header: header, colors: colors)
        let count = try rows.draw(file, on: canvas, isCancelled: isCancelled)
        let isComplete = count == header.size.height
        if !isComplete {
            let missing = PixelSize(header.size.width, header.size.height - count)
            canvas.clear(PixelRectangle(x: 0, y: header.isTopDown ? count : 0, size: missing))
        }
        let usesAlpha = header.masks.alpha.mask != 0 && canvas.premultiply(opaqueWhereUnused: isComplete)
        // Alpha includes all information of the mask.
        guard let mask = header.iconMask, !usesAlpha, isComplete else { return isComplete }
        return clear(header, mask: mask, file, on: canvas)
    }

    /// Clears the masked pixels of an icon. Returns whether the mask is complete.
    private static func clear(_ header: BMPHeader, mask: Int, _ file: Span<UInt8>, on canvas: Canvas) -> Bool {
        let bytesPerRow = BMPHeader.bytesPerRow(header.size.width, 1)
        for index in 0..<header.size.height {
            let start = mask + index * bytesPerRow
            guard start + (header.size.width + 7) / 8 <= file.count else { return false }
            let row = canvas.row(header.isTopDown ? index : header.size.height - 1 - index)
            for x in 0..<header.size.width where file[start + x / 8] << UInt8(x % 8) & 0x80 != 0 { row[x] = 0 }
        }
        return true
    }
}
