#if Server
import EaselCore

extension ImageTransform {
    /// Replaces squares of `side` pixels by their mean color. 1 and less changes nothing. Squares that the right and
    /// the bottom edge cut are smaller.
    static func pixelate(side: Int) -> ImageTransform { ImageTransform(PixelateTransform(side: side)) }
}

private struct PixelateTransform: ImageTransforming {
    let side: Int

    var identifier: String { "Pixelate(\(side))" }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        guard side > 1 else { return image }
        var image = image
        image.pixels = try pixelate(image.pixels, isCancelled)
        return image
    }

    private func pixelate(_ pixels: PixelBuffer, _ isCancelled: () -> Bool) throws(ImageError) -> PixelBuffer {
        let (width, height, bytesPerRow) = (pixels.width, pixels.height, pixels.bytesPerRow)
        var means = [SIMD4<UInt8>](repeating: SIMD4(), count: (width + side - 1) / side)
        return try PixelBuffer(size: pixels.size, isOpaque: pixels.isOpaque) { (target, _) throws(ImageError) in
            try pixels.withUnsafeBytes { (source) throws(ImageError) in
                for y in 0..<height {
                    if y % 16 == 0, isCancelled() { throw .cancelled }
                    if y % side == 0 {
                        let rows = y..<min(y + side, height)
                        for column in means.indices {
                            let columns = (column * side)..<min((column + 1) * side, width)
                            means[column] = Self.mean(of: source, bytesPerRow, rows, columns)
                        }
                    }
                    for x in 0..<width {
                        target.storeBytes(
                            of: means[x / side], toByteOffset: y * bytesPerRow + x * 4, as: SIMD4<UInt8>.self)
                    }
                }
            }
        }
    }

    private static func mean(
        of source: UnsafeRawBufferPointer, _ bytesPerRow: Int, _ rows: Range<Int>, _ columns: Range<Int>
    ) -> SIMD4<UInt8> {
        var sums = SIMD4<UInt64>()
        for y in rows {
            for x in columns {
                let pixel = source.load(fromByteOffset: y * bytesPerRow + x * 4, as: SIMD4<UInt8>.self)
                sums &+= SIMD4(truncatingIfNeeded: pixel)
            }
        }
        let count = UInt64(rows.count * columns.count)
        let mean = (sums &+ SIMD4(repeating: count / 2)) / SIMD4(repeating: count)
        return SIMD4(truncatingIfNeeded: mean)
    }
}
#endif
