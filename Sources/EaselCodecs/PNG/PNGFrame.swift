import EaselCore

/// A frame of an animated PNG: its fcTL chunk, and where its data lies.
struct PNGFrame {
    /// How the frame is drawn on the canvas.
    enum Blending: UInt8 {
        case replace = 0
        case over = 1
    }

    var rectangle: PixelRectangle
    var duration: Duration
    var disposal: FrameDisposal
    var blending: Blending
    /// The chunks whose data, joined, is the frame's zlib stream. In an fdAT chunk four bytes of sequence come first.
    var chunks: [PNGChunk] = []

    /// - Throws: `ImageError.badData` for a frame that does not lie inside `canvas`.
    init(_ bytes: Span<UInt8>, canvas: PixelSize) throws(ImageError) {
        guard bytes.count == 26, let width = bytes.bigEndian32(at: 4), let height = bytes.bigEndian32(at: 8),
            let x = bytes.bigEndian32(at: 12), let y = bytes.bigEndian32(at: 16),
            let numerator = bytes.bigEndian16(at: 20), let denominator = bytes.bigEndian16(at: 22),
            bytes[24] <= 2, let blending = Blending(rawValue: bytes[25])
        else { throw .badData("A frame of the animated PNG has a malformed control chunk.") }
        guard width > 0, height > 0, x <= canvas.width - width, y <= canvas.height - height else {
            throw .badData("A frame of the animated PNG lies outside its canvas of \(canvas).")
        }
        rectangle = PixelRectangle(x: x, y: y, size: PixelSize(width, height))
        // A denominator of 0 stands for 100.
        duration = FrameTiming.played(milliseconds: numerator * 1000 / (denominator == 0 ? 100 : denominator))
        disposal = [.keep, .clear, .restore][Int(bytes[24])]
        self.blending = blending
    }
}
