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

    /// Multiplies every colour by its alpha.
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
