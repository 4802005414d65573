#if TIFF
import CEaselTIFF
import EaselCore

/// The decoded pixels of a TIFF's first page.
struct TIFFPicture {
    let pixels: PixelBuffer
    /// Whether some of it could not be read; that is clear.
    let isPartial: Bool

    init(_ reader: borrowing TIFFReader, size: PixelSize, isCancelled: () -> Bool) throws(ImageError) {
        var isComplete = true
        let samples = TIFFSamples(reader.fields)
        if samples == nil { try reader.beginBlocks() }
        let pixels = try PixelBuffer(size: size, isOpaque: false) { (bytes, bytesPerRow) throws(ImageError) in
            guard let canvas = Canvas(bytes, bytesPerRow: bytesPerRow, size: size) else { return }
            isComplete =
                if let samples {
                    reader.fields.is_tiled
                        ? try Self.drawTiles(reader, samples, on: canvas, isCancelled)
                        : try Self.drawRows(reader, samples, on: canvas, isCancelled)
                } else {
                    try Self.drawBlocks(reader, on: canvas, isCancelled)
                }
        }
        let isOpaque = isComplete && reader.fields.alpha == EASEL_TIFF_OPAQUE
        self.pixels = isOpaque ? PixelBuffer(pixels, isOpaque: true) : pixels
        isPartial = !isComplete
    }

    private static func drawRows(
        _ reader: borrowing TIFFReader, _ samples: TIFFSamples, on canvas: Canvas, _ isCancelled: () -> Bool
    ) throws(ImageError) -> Bool {
        let width = canvas.size.width
        guard reader.rowByteCount >= width * samples.byteCount else { throw reader.failure }
        let row = try ScratchMemory(count: reader.rowByteCount, for: canvas.size)
        guard let start = UnsafeRawPointer(row.bytes.baseAddress) else { return false }
        let rowsBetweenQuestions = max(1, (1 << 18) / width)
        for y in 0..<canvas.size.height {
            if y % rowsBetweenQuestions == 0, isCancelled() { throw .cancelled }
            guard reader.read(row: y, into: row.bytes) else {
                // A strip that fails leaves libtiff where the ones behind it cannot be found either.
                canvas.clear(PixelRectangle(x: 0, y: y, size: PixelSize(width, canvas.size.height - y)))
                return false
            }
            samples.expand(start, width: width, into: canvas.row(y))
        }
        return true
    }

    private static func drawTiles(
        _ reader: borrowing TIFFReader, _ samples: TIFFSamples, on canvas: Canvas, _ isCancelled: () -> Bool
    ) throws(ImageError) -> Bool {
        let tile = PixelSize(Int(reader.fields.block_width), Int(reader.fields.block_height))
        let rowByteCount = reader.rowByteCount
        let (byteCount, overflow) = rowByteCount.multipliedReportingOverflow(by: tile.height)
        guard tile.width > 0, tile.height > 0, !overflow, rowByteCount >= tile.width * samples.byteCount
        else { throw reader.failure }
        try checkTile(tile, canvas.size)
        let memory = try ScratchMemory(count: byteCount, for: canvas.size)
        guard let start = UnsafeRawPointer(memory.bytes.baseAddress) else { return false }
        var isComplete = true
        for y in stride(from: 0, to: canvas.size.height, by: tile.height) {
            for x in stride(from: 0, to: canvas.size.width, by: tile.width) {
                if isCancelled() { throw .cancelled }
                let place = PixelRectangle(x: x, y: y, size: tile).clipped(to: canvas.size)
                guard reader.read(tileAt: x, y, into: memory.bytes) else {
                    canvas.clear(place)
                    isComplete = false
                    continue
                }
                for row in 0..<place.size.height {
                    samples.expand(
                        start + row * rowByteCount, width: place.size.width, into: canvas.row(y + row) + x)
                }
            }
        }
        return isComplete
    }

    /// A tile may hang over the picture's edges, but one of sixteen times its pixels is a way to ask for memory.
    private static func checkTile(_ tile: PixelSize, _ size: PixelSize) throws(ImageError) {
        guard let area = tile.area, let whole = size.area, area <= max(1 << 22, whole * 16) else {
            throw .badData("The TIFF's tiles of \(tile) pixels are far larger than its picture.")
        }
    }

    /// What libtiff turns into RGBA: a strip or a row of tiles at a time, so that cancellation can be asked between them.
    private static func drawBlocks(
        _ reader: borrowing TIFFReader, on canvas: Canvas, _ isCancelled: () -> Bool
    ) throws(ImageError) -> Bool {
        let size = canvas.size
        try checkTile(PixelSize(Int(reader.fields.block_width), 1), size)
        let step = min(size.height, max(1, Int(reader.fields.block_height)))
        let memory = try ScratchMemory(count: size.width * step * 4, for: size)
        var isComplete = true
        for y in stride(from: 0, to: size.height, by: step) {
            if isCancelled() { throw .cancelled }
            let count = min(step, size.height - y)
            // Of what cannot be read nothing is written.
            memory.bytes.initializeMemory(as: UInt8.self, repeating: 0)
            if !reader.read(block: y, rowCount: count, into: memory.bytes) { isComplete = false }
            memory.bytes.withMemoryRebound(to: UInt32.self) { pixels in
                for row in 0..<count {
                    let target = canvas.row(y + row)
                    for x in 0..<size.width { target[x] = bgra(pixels[row * size.width + x]) }
                }
            }
        }
        return isComplete
    }

    /// R, G, B, A in memory order as B, G, R, A.
    @inline(__always)
    private static func bgra(_ pixel: UInt32) -> UInt32 {
        pixel & 0xFF00_FF00 | (pixel & 0xFF) << 16 | (pixel >> 16) & 0xFF
    }
}
#endif
