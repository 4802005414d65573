extension ImageTransform {
    /// Replaces squares of `side` pixels by their mean color. 1 and less changes nothing. Squares that the right and
    /// the bottom edge cut are smaller.
    package static func pixelate(side: Int) -> ImageTransform {
        ImageTransform("Pixelate(\(side))") { (image, isCancelled) throws(ImageError) in
            guard side > 1 else { return image }
            return image.replacing(try image.pixels.pixelated(side: side, isCancelled: isCancelled))
        }
    }
}

extension PixelBuffer {
    fileprivate func pixelated(side: Int, isCancelled: () -> Bool) throws(ImageError) -> PixelBuffer {
        let columns = (width + side - 1) / side
        var means = [UInt32](repeating: 0, count: columns)
        return try drawRows(of: size, isOpaque: isOpaque, isCancelled: isCancelled) { y, source, target in
            if y % side == 0 {
                let rows = y..<min(y + side, height)
                for column in 0..<columns {
                    means[column] = Self.mean(of: source, rows, (column * side)..<min((column + 1) * side, width))
                }
            }
            for x in 0..<width { target[x] = means[x / side] }
        }
    }

    private static func mean(of source: SourceRows<UInt32>, _ rows: Range<Int>, _ columns: Range<Int>) -> UInt32 {
        var sums = SIMD4<UInt64>()
        for y in rows {
            let row = source[y]
            for x in columns { sums &+= SIMD4(truncatingIfNeeded: PremultipliedPixel.components(row[x])) }
        }
        let count = UInt64(rows.count * columns.count)
        let mean = (sums &+ SIMD4(repeating: count / 2)) / SIMD4(repeating: count)
        return PremultipliedPixel.word(SIMD4(truncatingIfNeeded: mean))
    }
}
