extension ImageTransform {
    /// Adds the same number of pixels of a color at each edge. The color shows through translucent parts of the image
    /// too.
    public static func pad(_ edges: Int, color: ImageColor = .clear) -> ImageTransform {
        pad(top: edges, left: edges, bottom: edges, right: edges, color: color)
    }

    /// Adds pixels of a color at the edges; a negative number counts as 0. The color shows through translucent parts of
    /// the image too.
    public static func pad(
        top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0, color: ImageColor = .clear
    ) -> ImageTransform {
        // No sum of these overflows, and an image of so many pixels does not fit into memory.
        func limit(_ width: Int) -> Int { min(max(0, width), 1 << 50) }
        let (top, left, bottom, right) = (limit(top), limit(left), limit(bottom), limit(right))
        return ImageTransform("Pad(\(top),\(left),\(bottom),\(right),\(color))") {
            (image, isCancelled) throws(ImageError) in
            let size = PixelSize(left + image.size.width + right, top + image.size.height + bottom)
            if size == image.size { return image }
            return image.replacing(
                try image.pixels.place(on: size, left: left, top: top, background: color.word, isCancelled))
        }
    }

    /// Adds edges of a color until both sides have at least this many pixels, with the image in the middle.
    public static func pad(to size: PixelSize, color: ImageColor = .clear) -> ImageTransform {
        ImageTransform("PadTo(\(size.width)x\(size.height),\(color))") { (image, isCancelled) throws(ImageError) in
            let size = PixelSize(max(size.width, image.size.width), max(size.height, image.size.height))
            if size == image.size { return image }
            return image.replacing(try image.pixels.place(inMiddleOf: size, background: color.word, isCancelled))
        }
    }
}

extension PixelBuffer {
    /// Returns the image on an even background of another size, which may cut it.
    ///
    /// - Parameters:
    ///   - left: the position of the image's left edge; may be negative.
    ///   - top: the position of its top edge.
    ///   - background: a premultiplied pixel, over which translucent parts of the image are drawn.
    func place(
        on size: PixelSize, left: Int, top: Int, background: UInt32, _ isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        let columns = (left..<(left + width)).clamped(to: 0..<size.width)
        let rows = (top..<(top + height)).clamped(to: 0..<size.height)
        let isCovered = columns == 0..<size.width && rows == 0..<size.height
        let copies = isOpaque || background == 0
        return try drawRows(
            of: size, isOpaque: background >> 24 == 255 || (isCovered && isOpaque), isCancelled: isCancelled
        ) { y, pixels, target in
            target.update(repeating: background, count: size.width)
            guard rows.contains(y) else { return }
            let row = pixels[y - top] + (columns.lowerBound - left)
            let place = target + columns.lowerBound
            if copies {
                place.update(from: row, count: columns.count)
            } else {
                for x in 0..<columns.count { place[x] = PremultipliedPixel.over(row[x], background) }
            }
        }
    }

    /// Aligns the middles; an odd pixel shifts the image to the top left.
    func place(
        inMiddleOf size: PixelSize, background: UInt32, _ isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        try place(
            on: size, left: (size.width - width) >> 1, top: (size.height - height) >> 1, background: background,
            isCancelled)
    }
}
