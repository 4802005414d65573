/// The rows of a picture while it is read.
struct SourceRows {
    let start: UnsafeRawPointer
    let bytesPerRow: Int

    /// The pixels of row `y`, which lies inside the picture.
    @inline(__always)
    subscript(_ y: Int) -> UnsafePointer<UInt32> {
        UnsafePointer((start + y * bytesPerRow).assumingMemoryBound(to: UInt32.self))
    }
}

extension PixelBuffer {
    /// A picture of `size` whose rows `fill` writes, from top to bottom. Cancellation is asked for every 16 rows.
    static func rows(
        of size: PixelSize, isOpaque: Bool, isCancelled: () -> Bool,
        _ fill: (_ y: Int, _ target: UnsafeMutablePointer<UInt32>) -> Void
    ) throws(ImageError) -> PixelBuffer {
        try PixelBuffer(size: size, isOpaque: isOpaque) { (bytes, bytesPerRow) throws(ImageError) in
            guard let start = bytes.baseAddress else { return }
            for y in 0..<size.height {
                if y % 16 == 0, isCancelled() { throw .cancelled }
                fill(y, (start + y * bytesPerRow).assumingMemoryBound(to: UInt32.self))
            }
        }
    }

    /// A picture of `size` whose rows `fill` makes from those of this one.
    func remade(
        _ size: PixelSize, isOpaque: Bool, isCancelled: () -> Bool,
        _ fill: (_ y: Int, _ source: SourceRows, _ target: UnsafeMutablePointer<UInt32>) -> Void
    ) throws(ImageError) -> PixelBuffer {
        try withUnsafeBytes { (bytes) throws(ImageError) in
            guard let start = bytes.baseAddress else { return self }
            let source = SourceRows(start: start, bytesPerRow: bytesPerRow)
            return try .rows(of: size, isOpaque: isOpaque, isCancelled: isCancelled) { y, target in
                fill(y, source, target)
            }
        }
    }

    /// A picture of the same size, every pixel of it changed by itself.
    func mapped(
        isOpaque: Bool, isCancelled: () -> Bool, _ change: (UInt32) -> UInt32
    ) throws(ImageError) -> PixelBuffer {
        let width = width
        return try remade(size, isOpaque: isOpaque, isCancelled: isCancelled) { y, source, target in
            let row = source[y]
            for x in 0..<width { target[x] = change(row[x]) }
        }
    }

    /// Calls `body` with the rows.
    func withRows<Result>(_ empty: Result, _ body: (SourceRows) -> Result) -> Result {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return empty }
            return body(SourceRows(start: start, bytesPerRow: bytesPerRow))
        }
    }
}

extension DecodedImage {
    /// The same picture with other pixels.
    func replacing(_ pixels: PixelBuffer, deep: DeepPixelBuffer? = nil) -> DecodedImage {
        var image = self
        image.pixels = pixels
        image.deepPixels = deep
        return image
    }
}
