/// Puts a picture on an even ground of another size, where it is cut off at the edges.
enum PixelPlacement {
    /// - Parameters:
    ///   - left: where the picture's left edge goes; may be negative.
    ///   - top: where its top edge goes.
    ///   - background: a premultiplied pixel, over which translucent parts of the picture are drawn.
    static func placed(
        _ source: PixelBuffer, on size: PixelSize, left: Int, top: Int, background: UInt32,
        _ isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        let columns = max(0, left)..<max(0, left, min(size.width, left + source.width))
        let rows = max(0, top)..<max(0, top, min(size.height, top + source.height))
        let isCovered = columns == 0..<size.width && rows == 0..<size.height
        let isOpaque = background >> 24 == 255 || (isCovered && source.isOpaque)
        let copies = source.isOpaque || background == 0
        return try source.remade(size, isOpaque: isOpaque, isCancelled: isCancelled) { y, pixels, target in
            guard rows.contains(y), !columns.isEmpty else {
                target.update(repeating: background, count: size.width)
                return
            }
            target.update(repeating: background, count: columns.lowerBound)
            (target + columns.upperBound).update(repeating: background, count: size.width - columns.upperBound)
            let row = pixels[y - top] + (columns.lowerBound - left)
            let place = target + columns.lowerBound
            if copies {
                place.update(from: row, count: columns.count)
            } else {
                for x in 0..<columns.count { place[x] = PremultipliedPixel.over(row[x], background) }
            }
        }
    }

    /// With the middles on each other; of a pixel that is over, nearer to the top left.
    static func centered(
        _ source: PixelBuffer, on size: PixelSize, background: UInt32, _ isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        try placed(
            source, on: size, left: (size.width - source.width) >> 1, top: (size.height - source.height) >> 1,
            background: background, isCancelled)
    }
}
