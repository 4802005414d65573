import EaselCore

/// The indices of one frame, decompressed so far.
struct GIFImage: ~Copyable {
    private let frame: GIFFrame
    private let indices: ScratchMemory
    private let colors: [UInt32]
    private var codes: GIFLZW

    /// The number of indices. It is below the pixel count if data is damaged, truncated, or has not arrived.
    var count: Int { codes.position }

    /// Whether every pixel is present.
    var isComplete: Bool { count == area }

    private var area: Int { indices.count - GIFLZW.literalCount }

    /// Creates an image without pixels.
    ///
    /// - Throws: `ImageError.badData` for a frame without a palette, `.tooLarge` for more than `limit` pixels, since a
    ///   frame can be larger than its canvas.
    init(empty frame: GIFFrame, in file: Span<UInt8>, limit: Int) throws(ImageError) {
        guard let area = frame.rectangle.size.area, area <= limit else {
            throw .tooLarge(.pixels(frame.rectangle.size, limit: limit))
        }
        guard let palette = frame.palette else { throw .badData("A frame has no palette.") }
        indices = try ScratchMemory(count: GIFLZW.literalCount + area, for: frame.rectangle.size)
        GIFLZW.writeLiterals(into: indices.bytes)
        // Indices beyond the palette are invalid; viewers show them as black.
        colors = (0..<256).map { index in
            let start = palette.lowerBound + index * 3
            guard start < palette.upperBound else { return PackedPixel.opaque(red: 0, green: 0, blue: 0) }
            return PackedPixel.opaque(red: file[start], green: file[start + 1], blue: file[start + 2])
        }
        codes = GIFLZW(minimumCodeSize: frame.minimumCodeSize)
        self.frame = frame
    }

    /// Returns the complete image of a frame.
    static func decode(
        _ frame: GIFFrame, in file: Span<UInt8>, limit: Int, isCancelled: () -> Bool
    ) throws(ImageError) -> GIFImage {
        var image = try GIFImage(empty: frame, in: file, limit: limit)
        let data = try GIFSubBlocks.join(frame.data, in: file)
        guard let start = UnsafeRawPointer(data.bytes.baseAddress) else { return image }
        // `join` appended eight zeros to the data.
        let count = (data.count - 8) * 8
        var bit = 0
        while count - bit >= 16, !image.codes.hasEnded, !image.isComplete {
            if isCancelled() { throw .cancelled }
            bit = image.decode(start, bits: bit..<min(bit + bitsBetweenCancellationChecks, count))
        }
        _ = image.decode(start, bits: bit..<count)
        return image
    }

    /// The number of bits between checks for cancellation. They take up to 12 ms, usually far less.
    private static let bitsBetweenCancellationChecks = 64 << 13

    /// Decodes more codes; see `GIFLZW`.
    mutating func decode(_ data: UnsafeRawPointer, bits: Range<Int>) -> Int {
        codes.decode(
            data, bits: bits,
            into: UnsafeMutableRawBufferPointer(rebasing: indices.bytes[GIFLZW.literalCount...])
                .assumingMemoryBound(to: UInt8.self))
    }

    /// Draws the pixels that are inside the canvas and not transparent.
    func draw(on canvas: Canvas) {
        colors.withUnsafeBufferPointer { colors in
            forEachRow(on: canvas) { target, source, available, _ in
                guard let transparent = frame.control.transparentIndex else {
                    for x in 0..<available { target[x] = colors[Int(source[x])] }
                    return
                }
                // A select instead of a branch: dithered images make branches unpredictable.
                for x in 0..<available {
                    target[x] = source[x] == transparent ? target[x] : colors[Int(source[x])]
                }
            }
        }
    }

    /// Draws the received part of the first frame on a transparent canvas. Interlaced rows also fill missing rows
    /// below.
    func drawPartial(on canvas: Canvas) {
        let bottom = frame.rectangle.clipped(to: canvas.size).size.height + frame.rectangle.y
        forEachRow(on: canvas) { target, source, available, band in
            for x in 0..<available {
                let isTransparent = source[x] == frame.control.transparentIndex
                target[x] = isTransparent ? 0 : colors[Int(source[x])]
            }
            let x = frame.rectangle.x
            for y in (band.y + 1)..<max(band.y + 1, min(band.y + band.height, bottom)) {
                canvas.row(y).advanced(by: x).update(from: target, count: available)
            }
        }
    }

    /// Calls `body` with each row that has pixels, in stored order. The arguments are the visible part, the indices,
    /// their count, and the rows that the row fills.
    private func forEachRow(
        on canvas: Canvas,
        _ body: (UnsafeMutablePointer<UInt32>, UnsafePointer<UInt8>, Int, (y: Int, height: Int)) -> Void
    ) {
        let size = frame.rectangle.size
        let visible = frame.rectangle.clipped(to: canvas.size)
        guard visible.size.width > 0, let start = indices.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        let rows = frame.isInterlaced ? Self.interlacedRows(size.height) : (0..<size.height).map { ($0, 1) }
        for (stored, (row, height)) in rows.enumerated() where row < visible.size.height {
            // Both origins are equal: x and y are not negative, so `clipped` cuts only on the right and below.
            // `available` is the decoded part of this row.
            let available = min(visible.size.width, count - stored * size.width)
            guard available > 0 else { continue }
            body(
                canvas.row(visible.y + row) + visible.x, start + GIFLZW.literalCount + stored * size.width, available,
                (visible.y + row, height))
        }
    }

    /// Returns the rows of an interlaced image in stored order, each with the number of rows that it fills until the
    /// next pass: every eighth from 0, every eighth from 4, every fourth from 2, every second from 1.
    private static func interlacedRows(_ height: Int) -> [(Int, Int)] {
        [(0, 8, 8), (4, 8, 4), (2, 4, 2), (1, 2, 1)].flatMap { start, step, block in
            stride(from: start, to: height, by: step).map { ($0, block) }
        }
    }
}
