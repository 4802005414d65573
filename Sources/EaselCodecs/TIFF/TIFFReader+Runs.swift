#if TIFF
import CEaselTIFF
import EaselCore

extension TIFFReader {
    /// Reads all samples of a picture in strips or tiles, from the top on, and gives them out in runs of pixels that lie in one
    /// row.
    ///
    /// - Parameters:
    ///   - bytesPerPixel: of the samples.
    ///   - missing: is told which part cannot be read.
    ///   - body: is given a run's samples, where it begins, and its pixels, which lie in the picture.
    /// - Returns: whether all of it was there.
    func forEachRun(
        of size: PixelSize, bytesPerPixel: Int, isCancelled: () -> Bool, missing: (PixelRectangle) -> Void,
        _ body: (UnsafeRawPointer, _ x: Int, _ y: Int, _ width: Int) -> Void
    ) throws(ImageError) -> Bool {
        fields.is_tiled
            ? try forEachRunOfTiles(of: size, bytesPerPixel, isCancelled, missing, body)
            : try forEachRow(of: size, bytesPerPixel, isCancelled, missing, body)
    }

    private func forEachRow(
        of size: PixelSize, _ bytesPerPixel: Int, _ isCancelled: () -> Bool, _ missing: (PixelRectangle) -> Void,
        _ body: (UnsafeRawPointer, Int, Int, Int) -> Void
    ) throws(ImageError) -> Bool {
        guard rowByteCount >= size.width * bytesPerPixel else { throw failure }
        let row = try ScratchMemory(count: rowByteCount, for: size)
        guard let start = UnsafeRawPointer(row.bytes.baseAddress) else { return false }
        let rowsBetweenQuestions = max(1, (1 << 18) / size.width)
        for y in 0..<size.height {
            if y % rowsBetweenQuestions == 0, isCancelled() { throw .cancelled }
            guard read(row: y, into: row.bytes) else {
                // A strip that fails leaves libtiff where the ones behind it cannot be found either.
                missing(PixelRectangle(x: 0, y: y, size: PixelSize(size.width, size.height - y)))
                return false
            }
            body(start, 0, y, size.width)
        }
        return true
    }

    private func forEachRunOfTiles(
        of size: PixelSize, _ bytesPerPixel: Int, _ isCancelled: () -> Bool, _ missing: (PixelRectangle) -> Void,
        _ body: (UnsafeRawPointer, Int, Int, Int) -> Void
    ) throws(ImageError) -> Bool {
        let tile = PixelSize(Int(fields.block_width), Int(fields.block_height))
        let rowByteCount = rowByteCount
        let (byteCount, overflow) = rowByteCount.multipliedReportingOverflow(by: tile.height)
        guard tile.width > 0, tile.height > 0, !overflow, rowByteCount >= tile.width * bytesPerPixel
        else { throw failure }
        try Self.checkTile(tile, size)
        let memory = try ScratchMemory(count: byteCount, for: size)
        guard let start = UnsafeRawPointer(memory.bytes.baseAddress) else { return false }
        var isComplete = true
        for y in stride(from: 0, to: size.height, by: tile.height) {
            for x in stride(from: 0, to: size.width, by: tile.width) {
                if isCancelled() { throw .cancelled }
                let place = PixelRectangle(x: x, y: y, size: tile).clipped(to: size)
                guard read(tileAt: x, y, into: memory.bytes) else {
                    missing(place)
                    isComplete = false
                    continue
                }
                for row in 0..<place.size.height { body(start + row * rowByteCount, x, y + row, place.size.width) }
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
#endif
