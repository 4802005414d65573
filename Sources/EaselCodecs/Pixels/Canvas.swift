import EaselCore

/// The pixels of an animation while its frames are drawn on them: a view of memory that is still being written.
///
/// Rectangles are cut to the canvas first, so that every place that is touched lies on it.
struct Canvas {
    private let start: UnsafeMutableRawPointer
    private let bytesPerRow: Int
    let size: PixelSize

    /// A canvas on the memory of a `PixelBuffer` of `size` that is being filled; `nil` where there is no memory.
    init?(_ bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int, size: PixelSize) {
        guard let start = bytes.baseAddress, bytes.count >= bytesPerRow * size.height, bytesPerRow >= size.width * 4
        else { return nil }
        self.start = start
        self.bytesPerRow = bytesPerRow
        self.size = size
    }

    /// The pixels of a row.
    func row(_ y: Int) -> UnsafeMutablePointer<UInt32> {
        start.advanced(by: y * bytesPerRow).assumingMemoryBound(to: UInt32.self)
    }

    /// Makes a part transparent.
    func clear(_ rectangle: PixelRectangle) {
        fill(rectangle, with: 0)
    }

    /// Gives all pixels of a part this one.
    func fill(_ rectangle: PixelRectangle, with pixel: UInt32) {
        forEachRow(of: rectangle) { pixels, count, _ in pixels.update(repeating: pixel, count: count) }
    }

    /// Sets every alpha to 255. Rows where it is so already are only read, which takes a third of the time.
    func makeOpaque() {
        forEachRow(of: .whole(size)) { pixels, count, _ in
            let row = UnsafeMutableRawBufferPointer(start: pixels, count: count * 4)
            if PixelKernels.best.commonAlpha(UnsafeRawBufferPointer(row), count: count) != 255 {
                PixelKernels.best.makeOpaque(row, count: count)
            }
        }
    }

    /// Multiplies every color by its alpha.
    ///
    /// - Parameter opaqueWhereUnused: whether pixels whose alpha is 0 everywhere have no alpha at all, and become opaque.
    /// - Returns: `false` where that was so.
    @discardableResult
    func premultiply(opaqueWhereUnused: Bool) -> Bool {
        if opaqueWhereUnused, !hasAlphaAboveZero {
            makeOpaque()
            return false
        }
        forEachRow(of: .whole(size)) { pixels, count, _ in
            for x in 0..<count {
                let pixel = pixels[x]
                pixels[x] = PackedPixel.premultiplied(
                    red: UInt8(truncatingIfNeeded: pixel >> 16), green: UInt8(truncatingIfNeeded: pixel >> 8),
                    blue: UInt8(truncatingIfNeeded: pixel), alpha: UInt8(truncatingIfNeeded: pixel >> 24))
            }
        }
        return true
    }

    private var hasAlphaAboveZero: Bool {
        (0..<size.height).contains { y in
            let pixels = row(y)
            var all: UInt32 = 0
            for x in 0..<size.width { all |= pixels[x] }
            return all >> 24 != 0
        }
    }

    /// Turns rows of R, G, B, A into pixels of Easel's layout, in place.
    func convertFromRGBA(_ alpha: RGBARows.Alpha) {
        forEachRow(of: .whole(size)) { pixels, count, _ in
            RGBARows.convert(pixels, to: pixels, count: count, alpha)
        }
    }

    /// Makes no component larger than its alpha.
    func boundByAlpha() {
        forEachRow(of: .whole(size)) { pixels, count, _ in
            for x in 0..<count { pixels[x] = RGBARows.bounded(pixels[x]) }
        }
    }

    /// Draws `frame` with its top left corner at the rectangle's.
    func draw(_ frame: PixelBuffer, in rectangle: PixelRectangle, over: Bool) {
        let blends = over && !frame.isOpaque
        frame.withUnsafeBytes { bytes in
            guard let source = bytes.baseAddress, rectangle.size == frame.size,
                rectangle.clipped(to: size) == rectangle
            else { return }
            forEachRow(of: rectangle) { row, count, index in
                let pixels = source.advanced(by: index * frame.bytesPerRow).assumingMemoryBound(to: UInt32.self)
                if blends {
                    for x in 0..<count { row[x] = PackedPixel.over(pixels[x], row[x]) }
                } else {
                    row.update(from: pixels, count: count)
                }
            }
        }
    }

    private func forEachRow(
        of rectangle: PixelRectangle, _ body: (UnsafeMutablePointer<UInt32>, _ count: Int, _ index: Int) -> Void
    ) {
        let part = rectangle.clipped(to: size)
        for index in 0..<part.size.height { body(row(part.y + index) + part.x, part.size.width, index) }
    }
}

/// The pixels of an image that is still arriving, with rows as a `PixelBuffer` of its size has them.
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

extension PixelBuffer {
    /// A copy of a part that lies inside the image.
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

    /// The smallest rectangle that holds every place for which `isWanted` is true of this image's pixel and the other's;
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
