import EaselCore

/// A view of the pixel memory that animation frames are drawn into.
///
/// Rectangles are clipped to the canvas, so every access is in bounds.
struct Canvas {
    private let start: UnsafeMutableRawPointer
    let bytesPerRow: Int
    let size: PixelSize

    /// All rows, with their padding.
    var bytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: start, count: bytesPerRow * size.height)
    }

    /// Creates a canvas on the memory of a `PixelBuffer` of `size` during initialization; `nil` without memory.
    init?(_ bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int, size: PixelSize) {
        guard let start = bytes.baseAddress, bytes.count >= bytesPerRow * size.height, bytesPerRow >= size.width * 4
        else { return nil }
        self.start = start
        self.bytesPerRow = bytesPerRow
        self.size = size
    }

    func row(_ y: Int) -> UnsafeMutablePointer<UInt32> {
        start.advanced(by: y * bytesPerRow).assumingMemoryBound(to: UInt32.self)
    }

    func clear(_ rectangle: PixelRectangle) { fill(rectangle, with: 0) }

    func fill(_ rectangle: PixelRectangle, with pixel: UInt32) {
        forEachRow(of: rectangle) { pixels, count, _ in pixels.update(repeating: pixel, count: count) }
    }

    /// Sets every alpha to 255. Opaque rows are only read, which takes a third of the time.
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
    /// - Parameter opaqueWhereUnused: whether to make the image opaque if every alpha is 0.
    /// - Returns: `false` if the image was made opaque.
    @discardableResult
    func premultiply(opaqueWhereUnused: Bool) -> Bool {
        if opaqueWhereUnused, !hasAlphaAboveZero {
            makeOpaque()
            return false
        }
        forEachRow(of: .whole(size)) { pixels, count, _ in
            PixelKernels.best.premultiply(UnsafeMutableRawBufferPointer(start: pixels, count: count * 4), count: count)
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

    /// Converts rows of R, G, B, A to the layout of Easel, in place.
    func convertFromRGBA(_ alpha: RGBARows.Alpha) {
        forEachRow(of: .whole(size)) { pixels, count, _ in
            RGBARows.convert(pixels, to: pixels, count: count, alpha)
        }
    }

    /// Clamps each component to its alpha.
    func clampToAlpha() {
        forEachRow(of: .whole(size)) { pixels, count, _ in
            for x in 0..<count { pixels[x] = RGBARows.clampedToAlpha(pixels[x]) }
        }
    }

    /// Draws `frame` at the origin of the rectangle.
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

    /// Calls `body` with the pixels of each row and their count. Checks for cancellation in between.
    func forEachRow(
        isCancelled: () -> Bool, _ body: (UnsafeMutablePointer<UInt32>, _ count: Int) -> Void
    ) throws(ImageError) {
        for y in 0..<size.height {
            if y % 64 == 0, isCancelled() { throw .cancelled }
            body(row(y), size.width)
        }
    }

    private func forEachRow(
        of rectangle: PixelRectangle, _ body: (UnsafeMutablePointer<UInt32>, _ count: Int, _ index: Int) -> Void
    ) {
        let part = rectangle.clipped(to: size)
        for index in 0..<part.size.height { body(row(part.y + index) + part.x, part.size.width, index) }
    }
}

/// The pixels of an incomplete image, with the row layout of a `PixelBuffer` of its size.
final class PartialCanvas {
    let size: PixelSize
    let bytesPerRow: Int
    private let memory: ScratchMemory

    /// - Throws: `ImageError.tooLarge` if the size exceeds the machine's memory.
    init(_ size: PixelSize) throws(ImageError) {
        self.size = size
        bytesPerRow = try PixelBuffer.bytesPerRow(of: size)
        memory = try ScratchMemory(count: bytesPerRow * size.height, for: size)
    }

    /// All rows. Those not received are undefined. The pointer must not outlive this object.
    var bytes: UnsafeMutableRawBufferPointer { memory.bytes }

    /// All rows as a canvas, which must not outlive this object.
    var whole: Canvas? { Canvas(bytes, bytesPerRow: bytesPerRow, size: size) }

    /// Returns a copy of the first `rowCount` rows, over transparency.
    func pixels(
        rowCount: Int, isOpaque: Bool, convert: (Canvas) throws(ImageError) -> Void = { _ in }
    ) throws(ImageError) -> PixelBuffer {
        try PixelBuffer(size: size, isOpaque: isOpaque && rowCount == size.height) {
            (target, targetBytesPerRow) throws(ImageError) in
            // Both have the same row layout, and `rowCount` is at most `size.height`.
            let count = rowCount * bytesPerRow
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            if let rows = Canvas(target, bytesPerRow: targetBytesPerRow, size: PixelSize(size.width, rowCount)) {
                try convert(rows)
            }
            UnsafeMutableRawBufferPointer(rebasing: target[count...]).initializeMemory(as: UInt8.self, repeating: 0)
        }
    }
}

extension PixelBuffer {
    /// Returns an image that `body` draws. The initial content of the canvas is undefined.
    static func draw(
        _ size: PixelSize, isOpaque: Bool = false, _ body: (Canvas) throws(ImageError) -> Void
    ) throws(ImageError) -> PixelBuffer {
        try PixelBuffer(size: size, isOpaque: isOpaque) { (bytes, bytesPerRow) throws(ImageError) in
            if let canvas = Canvas(bytes, bytesPerRow: bytesPerRow, size: size) { try body(canvas) }
        }
    }

    /// Modifies the image, or a copy if its memory is shared.
    mutating func modify(keepsContent: Bool = true, _ body: (Canvas) throws(ImageError) -> Void) throws(ImageError) {
        let (size, bytesPerRow) = (size, bytesPerRow)
        try change(keepsContent: keepsContent) { (bytes) throws(ImageError) in
            if let canvas = Canvas(bytes, bytesPerRow: bytesPerRow, size: size) { try body(canvas) }
        }
    }

    /// Returns a copy of a rectangle inside the image.
    func part(_ rectangle: PixelRectangle) throws(ImageError) -> PixelBuffer {
        if rectangle == .whole(size) { return self }
        return try .draw(rectangle.size, isOpaque: isOpaque) { canvas in
            for y in 0..<rectangle.size.height {
                withRow(rectangle.y + y) { row in
                    guard let start = row.baseAddress else { return }
                    canvas.row(y).update(from: start + rectangle.x, count: rectangle.size.width)
                }
            }
        }
    }

    /// Passes the pixels of one row to `body`.
    func withRow<Result>(_ y: Int, _ body: (UnsafeBufferPointer<UInt32>) -> Result) -> Result {
        withUnsafeBytes { bytes in
            // A row has `width` pixels of four bytes, and its offset is a multiple of 64.
            let row = UnsafeRawBufferPointer(rebasing: bytes[(y * bytesPerRow)..<(y * bytesPerRow + width * 4)])
            return body(row.assumingMemoryBound(to: UInt32.self))
        }
    }

    /// Returns the bounding rectangle of all positions at which `isWanted` is true for the pixels of both images; `nil`
    /// if there are none. Both images have the same size.
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
