/// The memory of a picture, with every row inside it.
struct PixelRows {
    /// The bytes of a pixel of 16 bits a channel.
    static let deepByteCount = 8

    let start: UnsafeMutableRawPointer
    let bytesPerRow: Int
    let size: PixelSize
    /// 4, or `deepByteCount`.
    let bytesPerPixel: Int

    /// `nil` where the rows are not all inside `bytes`. Of a picture that is only read, nothing is written.
    init?(_ bytes: UnsafeRawBufferPointer, bytesPerRow: Int, size: PixelSize, bytesPerPixel: Int = 4) {
        guard let start = bytes.baseAddress, bytesPerRow >= size.width * bytesPerPixel,
            bytes.count >= bytesPerRow * size.height
        else { return nil }
        self.start = UnsafeMutableRawPointer(mutating: start)
        self.bytesPerRow = bytesPerRow
        self.size = size
        self.bytesPerPixel = bytesPerPixel
    }

    func offset(ofRow row: Int) -> Int { row * bytesPerRow }

    /// Writes the picture as it stands upright into `target`, which is of that size.
    ///
    /// - Parameter isCancelled: asked every 64 rows.
    func turn(
        upright target: PixelRows, from orientation: ImageOrientation, isCancelled: () -> Bool
    ) throws(ImageError) {
        for first in stride(from: 0, to: target.size.height, by: Self.band) {
            if isCancelled() { throw .cancelled }
            let rows = first..<min(first + Self.band, target.size.height)
            if orientation.swapsSides {
                // The columns of the one are the rows of the other.
                PixelKernels.best.transpose(
                    self, columns: rows, into: target,
                    fromRight: orientation == .right || orientation == .rightMirrored,
                    fromBottom: orientation == .left || orientation == .rightMirrored, passesCache: isLarge)
            } else {
                copy(
                    rows, to: target, isMirrored: orientation == .upMirrored || orientation == .down,
                    fromBottom: orientation == .down || orientation == .downMirrored)
            }
        }
    }

    private func copy(_ rows: Range<Int>, to target: PixelRows, isMirrored: Bool, fromBottom: Bool) {
        let count = size.width * bytesPerPixel
        for row in rows {
            let turned = fromBottom ? size.height - 1 - row : row
            // Both pictures have the same size, and `row` is one of theirs.
            let from = UnsafeRawBufferPointer(start: start + offset(ofRow: row), count: count)
            let to = UnsafeMutableRawBufferPointer(start: target.start + target.offset(ofRow: turned), count: count)
            if !isMirrored {
                to.copyMemory(from: from)
            } else if bytesPerPixel == Self.deepByteCount {
                PixelKernels.best.mirrorDeep(from, into: to, count: size.width)
            } else {
                PixelKernels.best.mirror(from, into: to, count: size.width, passesCache: isLarge)
            }
        }
    }

    /// Whether this picture and its turned one do not both fit the share of the cache that one core has.
    private var isLarge: Bool { bytesPerRow * size.height >= 4 << 20 }

    private static let band = 64
}
