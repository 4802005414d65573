extension ImageTransform {
    /// Crops to the largest square in the middle.
    public static let cropToSquare = ImageTransform("CropToSquare") { (image, isCancelled) throws(ImageError) in
        try image.cropToSquare(isCancelled)
    }

    /// Crops to this many pixels in the middle, or as many as there are.
    public static func crop(to size: PixelSize) -> ImageTransform {
        ImageTransform("Crop(\(size.width)x\(size.height))") { (image, isCancelled) throws(ImageError) in
            let size = PixelSize(min(size.width, image.size.width), min(size.height, image.size.height))
            guard size.width > 0, size.height > 0 else {
                throw .unsupported("An image cannot be cropped to \(size) pixels. Give a size of at least 1 x 1.")
            }
            return try image.crop(toCenter: size, isCancelled)
        }
    }

    /// Crops to the part of a rectangle that is inside the image, in pixels from the top left.
    ///
    /// - Note: applying it throws `ImageError.unsupported` if the rectangle and the image have no pixel in common.
    public static func crop(x: Int, y: Int, width: Int, height: Int) -> ImageTransform {
        ImageTransform("Crop(\(x),\(y),\(width)x\(height))") { (image, isCancelled) throws(ImageError) in
            let columns = overlap(from: x, width, of: image.size.width)
            let rows = overlap(from: y, height, of: image.size.height)
            guard !columns.isEmpty, !rows.isEmpty else {
                throw .unsupported(
                    "A rectangle of \(PixelSize(width, height)) pixels at \(x), \(y) has none of an image of "
                        + "\(image.size). Crop inside of it.")
            }
            let size = PixelSize(columns.count, rows.count)
            return try image.crop(x: columns.lowerBound, y: rows.lowerBound, to: size, isCancelled)
        }
    }

    /// Returns the part of `count` positions from `start` on that is inside the image.
    private static func overlap(from start: Int, _ count: Int, of whole: Int) -> Range<Int> {
        let count = min(max(0, count), .max - max(0, start))
        return (start..<(start + count)).clamped(to: 0..<whole)
    }

    /// Cuts away the edges that are `border`. An image that is nothing else is unchanged.
    ///
    /// - Parameter tolerance: the largest difference of each premultiplied component from the border's, 0 to 255.
    public static func trim(_ border: TrimBorder = .corner, tolerance: UInt8 = 0) -> ImageTransform {
        trim(border, tolerance: tolerance, equalColumns: false, equalRows: false)
    }

    /// Cuts away the edges that are `border`: with `equalColumns` as much from the left as from the right, and with
    /// `equalRows` as much from the top as from the bottom.
    package static func trim(
        _ border: TrimBorder, tolerance: UInt8, equalColumns: Bool, equalRows: Bool
    ) -> ImageTransform {
        let text =
            switch border {
            case .clear: "clear"
            case .color(let color): "\(color)"
            case .corner: "corner"
            }
        let suffix = (equalColumns ? ",equal columns" : "") + (equalRows ? ",equal rows" : "")
        return ImageTransform("Trim(\(text),\(tolerance)\(suffix))") { (image, isCancelled) throws(ImageError) in
            guard !(border == .clear && image.pixels.isOpaque && tolerance < 255) else { return image }
            let search = BorderSearch(border, tolerance, image.pixels)
            guard let found = try search.findArea(of: image.pixels, isCancelled) else { return image }
            let columns = equalColumns ? centered(found.x, found.size.width, in: image.size.width) : nil
            let rows = equalRows ? centered(found.y, found.size.height, in: image.size.height) : nil
            let (x, width) = columns ?? (found.x, found.size.width)
            let (y, height) = rows ?? (found.y, found.size.height)
            let size = PixelSize(width, height)
            guard size != image.size else { return image }
            return image.replacing(try image.pixels.crop(x: x, y: y, to: size, isCancelled: isCancelled))
        }
    }

    /// Returns a range around the middle that contains another one.
    private static func centered(_ start: Int, _ count: Int, in whole: Int) -> (start: Int, count: Int) {
        let edge = min(start, whole - start - count)
        return (edge, whole - 2 * edge)
    }
}

extension DecodedImage {
    func cropToSquare(_ isCancelled: () -> Bool) throws(ImageError) -> DecodedImage {
        let side = min(size.width, size.height)
        return try crop(toCenter: PixelSize(side, side), isCancelled)
    }

    fileprivate func crop(toCenter part: PixelSize, _ isCancelled: () -> Bool) throws(ImageError) -> DecodedImage {
        try crop(x: (size.width - part.width) / 2, y: (size.height - part.height) / 2, to: part, isCancelled)
    }

    func crop(
        x: Int, y: Int, to part: PixelSize, _ isCancelled: () -> Bool
    ) throws(ImageError) -> DecodedImage {
        if part == size { return self }
        return replacing(
            try pixels.crop(x: x, y: y, to: part, isCancelled: isCancelled),
            deep: try deepPixels?.crop(x: x, y: y, to: part, isCancelled: isCancelled))
    }
}

/// The edges that `trim` cuts away.
public enum TrimBorder: Sendable, Hashable {
    /// Transparent: an alpha of 0, or up to the tolerance.
    case clear
    /// One color.
    case color(ImageColor)
    /// The color of the pixel at the top left.
    case corner
}

/// A search for the first row and column from each side that are not border.
private struct BorderSearch {
    let word: UInt32
    let tolerance: UInt8
    let comparesOnlyAlpha: Bool

    init(_ border: TrimBorder, _ tolerance: UInt8, _ pixels: PixelBuffer) {
        self.tolerance = tolerance
        comparesOnlyAlpha = border == .clear
        word =
            switch border {
            case .clear: 0
            case .color(let color): color.word
            case .corner: PremultipliedPixel.word(pixels[0, 0])
            }
    }

    /// Returns the area inside of the border, or `nil` if all is border.
    func findArea(
        of pixels: PixelBuffer, _ isCancelled: () -> Bool
    ) throws(ImageError) -> (x: Int, y: Int, size: PixelSize)? {
        let (width, height) = (pixels.width, pixels.height)
        return try pixels.withRows { (rows) throws(ImageError) -> (x: Int, y: Int, size: PixelSize)? in
            func isOnlyBorder(_ y: Int) -> Bool { (0..<width).allSatisfy { isBorder(rows[y][$0]) } }
            guard let top = (0..<height).first(where: { !isOnlyBorder($0) }) else { return nil }
            let bottom = (top..<height).last { !isOnlyBorder($0) } ?? top
            var (left, right) = (width, -1)
            for y in top...bottom {
                if y % 16 == 0, isCancelled() { throw .cancelled }
                // Only pixels outside of the area found so far can extend it.
                if let first = (0..<left).first(where: { !isBorder(rows[y][$0]) }) { left = first }
                if let last = (max(0, right + 1)..<width).last(where: { !isBorder(rows[y][$0]) }) { right = last }
            }
            return (left, top, PixelSize(right - left + 1, bottom - top + 1))
        }
    }

    @inline(__always)
    private func isBorder(_ pixel: UInt32) -> Bool {
        if comparesOnlyAlpha { return pixel >> 24 <= UInt32(tolerance) }
        if pixel == word { return true }
        let difference = PremultipliedPixel.components(pixel) &- PremultipliedPixel.components(word)
        let limit = Int32(tolerance)
        return difference.max() <= limit && difference.min() >= -limit
    }
}
