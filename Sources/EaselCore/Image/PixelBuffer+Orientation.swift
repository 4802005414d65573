extension PixelBuffer {
    /// The stored picture turned upright. What is upright already is returned as it is.
    ///
    /// - Parameter isCancelled: asked every 64 rows.
    /// - Throws: `ImageError.cancelled`, and `.tooLarge` where the machine has no room for another picture.
    package func upright(
        from orientation: ImageOrientation, isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        guard orientation != .up else { return self }
        let turnedSize = orientation.upright(size)
        return try PixelBuffer(size: turnedSize, isOpaque: isOpaque) { (target, targetBytesPerRow) throws(ImageError) in
            try withUnsafeBytes { (source) throws(ImageError) in
                guard let from = PixelRows(source, bytesPerRow: bytesPerRow, size: size),
                    let to = PixelRows(UnsafeRawBufferPointer(target), bytesPerRow: targetBytesPerRow, size: turnedSize)
                else { return }
                for first in stride(from: 0, to: turnedSize.height, by: Self.band) {
                    if isCancelled() { throw .cancelled }
                    let rows = first..<min(first + Self.band, turnedSize.height)
                    if orientation.swapsSides {
                        // The columns of the one are the rows of the other.
                        PixelKernels.best.transpose(
                            from, columns: rows, into: to,
                            fromRight: orientation == .right || orientation == .rightMirrored,
                            fromBottom: orientation == .left || orientation == .rightMirrored)
                    } else {
                        Self.copy(
                            rows, of: from, to: to, isMirrored: orientation == .upMirrored || orientation == .down,
                            fromBottom: orientation == .down || orientation == .downMirrored)
                    }
                }
            }
        }
    }

    private static func copy(
        _ rows: Range<Int>, of source: PixelRows, to target: PixelRows, isMirrored: Bool, fromBottom: Bool
    ) {
        let count = source.size.width * 4
        for row in rows {
            let turned = fromBottom ? source.size.height - 1 - row : row
            // Both pictures have the same size, and `row` is one of theirs.
            let from = UnsafeRawBufferPointer(start: source.start + source.offset(ofRow: row), count: count)
            let to = UnsafeMutableRawBufferPointer(start: target.start + target.offset(ofRow: turned), count: count)
            if isMirrored {
                PixelKernels.best.mirror(
                    from, into: to, count: source.size.width,
                    passesCache: source.bytesPerRow * source.size.height >= Self.largeByteCount)
            } else {
                to.copyMemory(from: from)
            }
        }
    }

    private static var band: Int { 64 }
    /// From here on a picture and its mirrored one do not both fit the share of the cache that one core has.
    private static var largeByteCount: Int { 4 << 20 }
}
