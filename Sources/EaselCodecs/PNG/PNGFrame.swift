import EaselCore

/// A frame of an animated PNG: its fcTL chunk, and where its data lies.
struct PNGFrame {
    var rectangle: PixelRectangle
    var disposal: FramePlacement.Disposal
    /// Whether the frame replaces what was there, transparency included, instead of being drawn over it.
    var replaces: Bool
    /// How long it is shown, as played.
    var duration: Duration
    /// The chunks whose data, joined, is the frame's zlib stream. In an fdAT chunk four bytes of sequence come first.
    var chunks: [PNGChunk] = []

    /// - Throws: `ImageError.badData` for a frame that does not lie inside `canvas`.
    init(_ bytes: Span<UInt8>, canvas: PixelSize) throws(ImageError) {
        guard bytes.count == 26, let width = bytes.bigEndian32(at: 4), let height = bytes.bigEndian32(at: 8),
            let x = bytes.bigEndian32(at: 12), let y = bytes.bigEndian32(at: 16),
            let numerator = bytes.bigEndian16(at: 20), let denominator = bytes.bigEndian16(at: 22),
            bytes[24] <= 2, bytes[25] <= 1
        else { throw .badData("A frame of the animated PNG has a malformed control chunk.") }
        guard width > 0, height > 0, x <= canvas.width - width, y <= canvas.height - height else {
            throw .badData("A frame of the animated PNG lies outside its canvas of \(canvas).")
        }
        rectangle = PixelRectangle(x: x, y: y, size: PixelSize(width, height))
        disposal = [.keep, .clear, .restore][Int(bytes[24])]
        replaces = bytes[25] == 0
        // A denominator of 0 stands for 100.
        duration = FrameTiming.played(milliseconds: numerator * 1000 / (denominator == 0 ? 100 : denominator))
    }

    /// How the frame stands on its canvas, in a file whose pixels can be transparent or not.
    func placement(hasAlpha: Bool) -> FramePlacement {
        FramePlacement(
            rectangle: rectangle, disposal: disposal, hidesCanvas: replaces || !hasAlpha, isOpaque: !hasAlpha)
    }
}
