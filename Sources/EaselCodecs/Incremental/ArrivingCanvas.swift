import EaselCore

/// The pixels of a picture that is still arriving, with rows as a `PixelBuffer` of its size has them.
final class ArrivingCanvas {
    let size: PixelSize
    let bytesPerRow: Int
    private let memory: ScratchMemory

    /// - Throws: `ImageError.tooLarge` for a size that does not fit the machine.
    init(_ size: PixelSize) throws(ImageError) {
        let (usedCount, isWide) = size.width.multipliedReportingOverflow(by: 4)
        let bytesPerRow = (usedCount &+ 63) & ~63
        let (count, isLarge) = bytesPerRow.multipliedReportingOverflow(by: size.height)
        guard !isWide, !isLarge, bytesPerRow > 0 else { throw .tooLarge(.pixels(size, limit: Int.max)) }
        self.size = size
        self.bytesPerRow = bytesPerRow
        memory = try ScratchMemory(count: count, for: size)
    }

    /// All rows; those that have not come are undefined. The pointer must not outlive this object.
    var bytes: UnsafeMutableRawBufferPointer { memory.bytes }

    /// A copy of the first `rowCount` rows, over transparency.
    func pixels(
        rowCount: Int, isOpaque: Bool, convert: (Canvas) throws(ImageError) -> Void = { _ in }
    ) throws(ImageError) -> PixelBuffer {
        let isWhole = rowCount == size.height
        return try PixelBuffer(size: size, isOpaque: isOpaque && isWhole) {
            (target, targetBytesPerRow) throws(ImageError) in
            guard let from = bytes.baseAddress, let to = target.baseAddress else { return }
            // Both have `size.height` rows of at least four bytes a pixel, and `rowCount` is no more than that.
            for row in 0..<rowCount {
                (to + row * targetBytesPerRow).copyMemory(from: from + row * bytesPerRow, byteCount: size.width * 4)
            }
            if let there = Canvas(target, bytesPerRow: targetBytesPerRow, size: PixelSize(size.width, rowCount)) {
                try convert(there)
            }
            (to + rowCount * targetBytesPerRow).initializeMemory(
                as: UInt8.self, repeating: 0, count: (size.height - rowCount) * targetBytesPerRow)
        }
    }
}
