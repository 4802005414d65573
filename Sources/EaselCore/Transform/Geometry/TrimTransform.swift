/// Cuts away edges of one colour.
struct TrimTransform: ImageTransforming {
    let border: TrimBorder
    /// How far each premultiplied component may be from the border's.
    let tolerance: UInt8

    var identifier: String {
        switch border {
        case .clear: "Trim(clear,\(tolerance))"
        case .color(let color): "Trim(\(color),\(tolerance))"
        case .corner: "Trim(corner,\(tolerance))"
        }
    }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        guard !(border == .clear && image.pixels.isOpaque && tolerance < 255) else { return image }
        let search = search(in: image.pixels)
        guard let area = try search.area(of: image.pixels, isCancelled), area.size != image.size else { return image }
        return image.replacing(
            try PixelPlacement.placed(
                image.pixels, on: area.size, left: -area.x, top: -area.y, background: 0, isCancelled))
    }

    private func search(in pixels: PixelBuffer) -> BorderSearch {
        switch border {
        case .clear: BorderSearch(word: 0, tolerance: tolerance, alphaAlone: true)
        case .color(let color): BorderSearch(word: color.word, tolerance: tolerance, alphaAlone: false)
        case .corner:
            BorderSearch(word: PremultipliedPixel.word(pixels[0, 0]), tolerance: tolerance, alphaAlone: false)
        }
    }
}

/// What edges that are cut away look like.
public enum TrimBorder: Sendable, Hashable {
    /// Transparent: an alpha of 0, or up to the tolerance.
    case clear
    /// One colour.
    case color(ImageColor)
    /// The colour of the pixel at the top left.
    case corner
}

/// Looks for the first row and column from each side that is no border.
private struct BorderSearch {
    let word: UInt32
    let tolerance: UInt8
    let alphaAlone: Bool

    /// What is left; `nil` where all is border.
    func area(
        of pixels: PixelBuffer, _ isCancelled: () -> Bool
    ) throws(ImageError) -> (x: Int, y: Int, size: PixelSize)? {
        let (width, height) = (pixels.width, pixels.height)
        let found: Result<(x: Int, y: Int, size: PixelSize)?, ImageError> = pixels.withRows(.success(nil)) { rows in
            guard let top = (0..<height).first(where: { !isBorder(rows[$0], 0..<width) }) else { return .success(nil) }
            let bottom = (top..<height).last { !isBorder(rows[$0], 0..<width) } ?? top
            var (left, right) = (width, -1)
            for y in top...bottom {
                if y % 16 == 0, isCancelled() { return .failure(.cancelled) }
                // Only what is outside of what is known to stay can change it.
                if let first = (0..<left).first(where: { !isBorder(rows[y][$0]) }) { left = first }
                if let last = (max(0, right + 1)..<width).last(where: { !isBorder(rows[y][$0]) }) { right = last }
            }
            return .success((left, top, PixelSize(right - left + 1, bottom - top + 1)))
        }
        return try found.get()
    }

    private func isBorder(_ row: UnsafePointer<UInt32>, _ columns: Range<Int>) -> Bool {
        columns.allSatisfy { isBorder(row[$0]) }
    }

    @inline(__always)
    private func isBorder(_ pixel: UInt32) -> Bool {
        if alphaAlone { return pixel >> 24 <= UInt32(tolerance) }
        if pixel == word { return true }
        let difference = PremultipliedPixel.components(pixel) &- PremultipliedPixel.components(word)
        let limit = Int32(tolerance)
        return difference.max() <= limit && difference.min() >= -limit
    }
}

extension ImageTransform {
    /// Cuts away the edges that are `border`. A picture that is nothing else stays as it is.
    ///
    /// - Parameter tolerance: how far each premultiplied component may be from the border's, 0 to 255.
    public static func trim(_ border: TrimBorder = .corner, tolerance: UInt8 = 0) -> ImageTransform {
        ImageTransform(TrimTransform(border: border, tolerance: tolerance))
    }
}
