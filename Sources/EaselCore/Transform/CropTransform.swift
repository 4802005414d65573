/// Cuts the middle out of a picture.
struct CropTransform: ImageTransforming {
    enum Area: Hashable {
        case square
        case size(PixelSize)
    }

    let area: Area

    var identifier: String {
        switch area {
        case .square: "CropToSquare"
        case .size(let size): "Crop(\(size.width)x\(size.height))"
        }
    }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        let size = size(within: image.size)
        if size == image.size { return image }
        guard size.width > 0, size.height > 0 else {
            throw .unsupported("A picture cannot be cropped to \(size) pixels. Give a size of at least 1 x 1.")
        }
        let (left, top) = ((image.size.width - size.width) / 2, (image.size.height - size.height) / 2)
        let pixels = try PixelBuffer(size: size, isOpaque: image.pixels.isOpaque) { bytes, bytesPerRow in
            image.pixels.withUnsafeBytes { source in
                for row in 0..<size.height {
                    let start = (top + row) * image.pixels.bytesPerRow + left * 4
                    UnsafeMutableRawBufferPointer(rebasing: bytes[(row * bytesPerRow)...])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<(start + size.width * 4)]))
                }
            }
        }
        return image.replacing(pixels, deep: try image.deepPixels?.part(x: left, y: top, size))
    }

    private func size(within whole: PixelSize) -> PixelSize {
        switch area {
        case .square:
            let side = min(whole.width, whole.height)
            return PixelSize(side, side)
        case .size(let size):
            return PixelSize(min(size.width, whole.width), min(size.height, whole.height))
        }
    }
}

extension ImageTransform {
    /// The largest square in the middle.
    public static let cropToSquare = ImageTransform(CropTransform(area: .square))

    /// This many pixels from the middle, or as many as there are.
    public static func crop(to size: PixelSize) -> ImageTransform {
        ImageTransform(CropTransform(area: .size(size)))
    }
}
