public import EaselCore

public import EaselFoundation

/// Reads the portable anymaps of Netpbm: PBM, PGM and PPM as text and as bytes, and PAM of up to four channels, of up to 16
/// bits a sample. Of a file with several pictures, the first.
public struct PNMCoder: ImageDecoding {
    /// A coder; it has no settings.
    public init() {}

    /// `pnm`.
    public var format: ImageFormat { .pnm }

    /// Reads the header alone.
    ///
    /// - Throws: `ImageError.badData` for what is no such file, or is cut off in its header.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try PNMHeader(data.span).imageHeader
    }

    /// Decodes the picture.
    ///
    /// A file that ends early is an error, or with `allowsPartial` the rows that are there over transparency.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let file = data.span
        let map = try PNMHeader(file)
        let header = map.imageHeader
        try options.check(header)
        try options.checkCancellation()
        // `check` has multiplied the sides; a pixel has at most eight bytes.
        guard options.allowsPartial || map.bytesPerRow * map.size.height <= file.count - map.samples else {
            throw .badData("The PNM is cut off before its end.")
        }
        var count = 0
        let pixels = try PixelBuffer(size: map.size, isOpaque: false) { (bytes, bytesPerRow) throws(ImageError) in
            guard let canvas = Canvas(bytes, bytesPerRow: bytesPerRow, size: map.size) else { return }
            count = try PNMRows(map).draw(file, on: canvas, isCancelled: options.isCancelled)
            canvas.clear(PixelRectangle(x: 0, y: count, size: PixelSize(map.size.width, map.size.height - count)))
            if map.hasAlpha { canvas.premultiply(opaqueWhereUnused: false) }
        }
        let isPartial = count < map.size.height
        if isPartial, !options.allowsPartial { throw .badData("The PNM is damaged, or cut off before its end.") }
        let stored = PixelBuffer(pixels, isOpaque: !map.hasAlpha && !isPartial)
        return try DecodedImage(stored: stored, header: header, options: options, isPartial: isPartial)
    }
}

extension PNMHeader {
    /// What the header comes to.
    fileprivate var imageHeader: ImageHeader {
        ImageHeader(
            format: .pnm, storedSize: size, hasAlpha: hasAlpha,
            bitDepth: maximum.bitWidth - maximum.leadingZeroBitCount)
    }
}
