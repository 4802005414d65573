/// Turns pictures by quarters.
enum QuarterTurns {
    /// A square of so many pixels is turned at a time: both sides of it stay in the nearest cache.
    private static let tile = 16

    /// The picture turned counter-clockwise by so many quarters, 0 to 3.
    static func turned(
        _ source: PixelBuffer, by quarters: Int, _ isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        let (width, height) = (source.width, source.height)
        switch quarters {
        case 0:
            return source
        case 2:
            return try source.remade(source.size, isOpaque: source.isOpaque, isCancelled: isCancelled) {
                y, rows, target in
                let row = rows[height - 1 - y]
                for x in 0..<width { target[x] = row[width - 1 - x] }
            }
        default:
            return try PixelBuffer(size: source.size.transposed, isOpaque: source.isOpaque) {
                (bytes, bytesPerRow) throws(ImageError) in
                try source.withUnsafeBytes { (sourceBytes) throws(ImageError) in
                    guard let from = sourceBytes.baseAddress, let to = bytes.baseAddress else { return }
                    let rows = PixelRows(start: from, bytesPerRow: source.bytesPerRow)
                    for top in stride(from: 0, to: height, by: tile) {
                        if isCancelled() { throw .cancelled }
                        for left in stride(from: 0, to: width, by: tile) {
                            for x in left..<min(left + tile, width) {
                                // Counter-clockwise the right column becomes the first row, clockwise the left one does.
                                let row = quarters == 1 ? width - 1 - x : x
                                let target = (to + row * bytesPerRow).assumingMemoryBound(to: UInt32.self)
                                for y in top..<min(top + tile, height) {
                                    target[quarters == 1 ? y : height - 1 - y] = rows[y][x]
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
