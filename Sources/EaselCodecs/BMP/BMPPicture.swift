import EaselCore

/// The decoded pixels of a bitmap.
struct BMPPicture {
    let pixels: PixelBuffer
    /// Whether the file ended before the picture; what is missing is clear.
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

    /// Returns whether the file holds all of it.
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
        // Alpha says all that the mask does, and more.
        guard let mask = header.iconMask, !usesAlpha, isComplete else { return isComplete }
        return clear(header, mask: mask, file, on: canvas)
    }

    /// Clears the pixels that an icon's mask names. Returns whether the file holds all of the mask.
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
