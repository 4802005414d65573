import EaselCore

extension PixelBuffer {
    /// A copy of a part that lies inside the picture.
    func part(_ rectangle: PixelRectangle) throws(ImageError) -> PixelBuffer {
        if rectangle == .whole(size) { return self }
        return try PixelBuffer(size: rectangle.size, isOpaque: isOpaque) { bytes, bytesPerRow in
            guard let canvas = Canvas(bytes, bytesPerRow: bytesPerRow, size: rectangle.size) else { return }
            for y in 0..<rectangle.size.height {
                withRow(rectangle.y + y) { row in
                    guard let start = row.baseAddress else { return }
                    canvas.row(y).update(from: start + rectangle.x, count: rectangle.size.width)
                }
            }
        }
    }

    /// The pixels of one row.
    func withRow<Result>(_ y: Int, _ body: (UnsafeBufferPointer<UInt32>) -> Result) -> Result {
        withUnsafeBytes { bytes in
            // A row has `width` pixels of four bytes, and starts at a multiple of 64.
            let row = UnsafeRawBufferPointer(rebasing: bytes[(y * bytesPerRow)..<(y * bytesPerRow + width * 4)])
            return body(row.assumingMemoryBound(to: UInt32.self))
        }
    }

    /// The smallest rectangle that holds every place for which `isWanted` is true of this picture's pixel and the other's;
    /// `nil` where there is none. Both have one size.
    func area(comparedWith other: PixelBuffer, where isWanted: (UInt32, UInt32) -> Bool) -> PixelRectangle? {
        var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)
        for y in 0..<height {
            withRow(y) { row in
                other.withRow(y) { otherRow in
                    guard let first = row.indices.first(where: { isWanted(row[$0], otherRow[$0]) }),
                        let last = row.indices.last(where: { isWanted(row[$0], otherRow[$0]) })
                    else { return }
                    (left, right) = (min(left, first), max(right, last))
                    (top, bottom) = (min(top, y), y)
                }
            }
        }
        guard right >= 0 else { return nil }
        return PixelRectangle(x: left, y: top, size: PixelSize(right - left + 1, bottom - top + 1))
    }
}
