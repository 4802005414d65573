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
            guard let samples else { return isComplete = try Self.drawBlocks(reader, on: canvas, isCancelled) }
            isComplete = try reader.forEachRun(
                of: size, samples, isCancelled: isCancelled, missing: canvas.clear
            ) { source, x, y, width in
                samples.expand(source, width: width, into: canvas.row(y) + x)
            }
        }
        let isOpaque = isComplete && reader.fields.alpha == EASEL_TIFF_OPAQUE
        self.pixels = isOpaque ? PixelBuffer(pixels, isOpaque: true) : pixels
        isPartial = !isComplete
    }

    /// What libtiff turns into RGBA: a strip or a row of tiles at a time, so that cancellation can be asked between them.
    private static func drawBlocks(
        _ reader: borrowing TIFFReader, on canvas: Canvas, _ isCancelled: () -> Bool
    ) throws(ImageError) -> Bool {
        let size = canvas.size
        try TIFFReader.checkTile(PixelSize(Int(reader.fields.block_width), 1), size)
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
