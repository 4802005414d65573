/// Cuts a rectangle out of a picture.
struct CropAreaTransform: ImageTransforming {
    let x: Int
    let y: Int
    let size: PixelSize

    var identifier: String { "Crop(\(x),\(y),\(size.width)x\(size.height))" }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        guard let columns = Self.part(from: x, size.width, of: image.size.width),
            let rows = Self.part(from: y, size.height, of: image.size.height)
        else {
            throw .unsupported(
                "A rectangle of \(size) pixels at \(x), \(y) has none of a picture of \(image.size). Crop inside of it."
            )
        }
        let part = PixelSize(columns.count, rows.count)
        if part == image.size { return image }
        return image.replacing(
            try PixelPlacement.placed(
                image.pixels, on: part, left: -columns.lowerBound, top: -rows.lowerBound, background: 0, isCancelled),
            deep: try image.deepPixels?.part(x: columns.lowerBound, y: rows.lowerBound, part))
    }

    /// What of the places from `start` on lies on the picture; `nil` for nothing.
    private static func part(from start: Int, _ count: Int, of whole: Int) -> Range<Int>? {
        let (end, overflow) = start.addingReportingOverflow(max(0, count))
        let first = max(0, start)
        let last = overflow ? whole : min(end, whole)
        return first < last ? first..<last : nil
    }
}

extension ImageTransform {
    /// The part of a rectangle that lies on the picture, in pixels from the top left.
    ///
    /// - Note: applying it throws `ImageError.unsupported` where the rectangle and the picture have no pixel in common.
    public static func crop(x: Int, y: Int, width: Int, height: Int) -> ImageTransform {
        ImageTransform(CropAreaTransform(x: x, y: y, size: PixelSize(width, height)))
    }
}
