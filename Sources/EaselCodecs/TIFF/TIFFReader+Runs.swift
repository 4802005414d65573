#if TIFF
import CEaselTIFF
import EaselCore

extension TIFFReader {
    /// Reads all samples of a picture in strips or tiles, from the top on, and gives them out in runs of pixels that lie in one
    /// row; those of a pixel together, however the file has them.
    ///
    /// - Parameters:
    ///   - missing: is told which part cannot be read.
    ///   - body: is given a run's samples, where it begins, and its pixels, which lie in the picture.
    /// - Returns: whether all of it was there.
    func forEachRun(
        of size: PixelSize, _ samples: TIFFSamples, isCancelled: () -> Bool, missing: (PixelRectangle) -> Void,
        _ body: (UnsafeRawPointer, _ x: Int, _ y: Int, _ width: Int) -> Void
    ) throws(ImageError) -> Bool {
        let block =
            fields.is_tiled ? PixelSize(Int(fields.block_width), Int(fields.block_height)) : PixelSize(size.width, 1)
        let (byteCount, overflow) = rowByteCount.multipliedReportingOverflow(by: block.height)
        guard block.width > 0, block.height > 0, !overflow,
            rowByteCount >= samples.byteCount(width: block.width, ofPlane: samples.isPlanar)
        else { throw failure }
        if fields.is_tiled { try Self.checkTile(block, size) }
        let blocks = try TIFFBlocks(self, samples, block, byteCount: byteCount, for: size)
        var isComplete = true
        let rowsBetweenQuestions = fields.is_tiled ? 1 : max(1, (1 << 18) / size.width)
        for y in stride(from: 0, to: size.height, by: block.height) {
            for x in stride(from: 0, to: size.width, by: block.width) {
                if y % rowsBetweenQuestions == 0, isCancelled() { throw .cancelled }
                let place = PixelRectangle(x: x, y: y, size: block).clipped(to: size)
                if blocks.read(self, at: place) {
                    blocks.forEachRow(of: place) { body($0, x, $1, place.size.width) }
                } else if fields.is_tiled {
                    missing(place)
                    isComplete = false
                } else {
                    // A strip that fails leaves libtiff where the ones behind it cannot be found either.
                    missing(PixelRectangle(x: 0, y: y, size: PixelSize(size.width, size.height - y)))
                    return false
                }
            }
        }
        return isComplete
    }

    /// A tile may hang over the picture's edges, but one of sixteen times its pixels is a way to ask for memory.
    static func checkTile(_ tile: PixelSize, _ size: PixelSize) throws(ImageError) {
        guard let area = tile.area, let whole = size.area, area <= max(1 << 22, whole * 16) else {
            throw .badData("The TIFF's tiles of \(tile) pixels are far larger than its picture.")
        }
    }
}

/// Memory for a tile, or for a row of a strip, with the samples of each pixel together.
private struct TIFFBlocks: ~Copyable {
    private let samples: TIFFSamples
    /// All samples, those of planes one behind the other.
    private let stored: ScratchMemory
    /// Of each plane.
    private let storedByteCount: Int
    /// Where planes are put together; empty where there are none.
    private let pixels: ScratchMemory
    private let bytesPerRow: Int
    private let storedBytesPerRow: Int

    init(
        _ reader: borrowing TIFFReader, _ samples: TIFFSamples, _ block: PixelSize, byteCount: Int, for size: PixelSize
    ) throws(ImageError) {
        let storedBytesPerRow = reader.rowByteCount
        let bytesPerRow = samples.isPlanar ? samples.byteCount(width: block.width) : storedBytesPerRow
        let (count, overflow) = bytesPerRow.multipliedReportingOverflow(by: samples.isPlanar ? block.height : 0)
        guard !overflow else { throw reader.failure }
        let (storedCount, isTooLarge) = byteCount.multipliedReportingOverflow(by: max(1, samples.planeCount))
        guard !isTooLarge else { throw reader.failure }
        let stored = try ScratchMemory(count: storedCount, for: size)
        let pixels = try ScratchMemory(count: count, for: size)
        self.samples = samples
        self.storedBytesPerRow = storedBytesPerRow
        self.bytesPerRow = bytesPerRow
        storedByteCount = byteCount
        self.stored = stored
        self.pixels = pixels
    }

    /// The samples of the pixels, row by row.
    private var start: UnsafeMutableRawPointer? {
        samples.isPlanar ? pixels.bytes.baseAddress : stored.bytes.baseAddress
    }

    func forEachRow(of place: PixelRectangle, _ body: (UnsafeRawPointer, _ y: Int) -> Void) {
        guard let start else { return }
        for y in 0..<place.size.height { body(UnsafeRawPointer(start + y * bytesPerRow), place.y + y) }
    }

    /// Reads the block that lies at a place, which is in the picture. Returns whether all of it is there.
    func read(_ reader: borrowing TIFFReader, at place: PixelRectangle) -> Bool {
        guard let planes = stored.bytes.baseAddress, let start else { return false }
        for plane in 0..<max(1, samples.planeCount) {
            let range = (plane * storedByteCount)..<((plane + 1) * storedByteCount)
            let bytes = UnsafeMutableRawBufferPointer(rebasing: stored.bytes[range])
            let isThere =
                reader.fields.is_tiled
                ? reader.read(tileAt: place.x, place.y, plane: plane, into: bytes)
                : reader.read(row: place.y, plane: plane, into: bytes)
            guard isThere else { return false }
        }
        guard samples.isPlanar else { return true }
        for y in 0..<place.size.height {
            samples.interleave(
                UnsafeRawPointer(planes + y * storedBytesPerRow), distance: storedByteCount, width: place.size.width,
                into: start + y * bytesPerRow)
        }
        return true
    }
}
#endif
