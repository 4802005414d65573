package import EaselCore

extension PixelBuffer {
    /// A picture whose pixels `color` gives, premultiplied, row by row.
    ///
    /// - Throws: `ImageError.tooLarge` for a size that does not fit the machine.
    package static func drawn(
        _ width: Int, _ height: Int, isOpaque: Bool, color: (_ x: Int, _ y: Int) -> Pixel
    ) throws(ImageError) -> PixelBuffer {
        try PixelBuffer(size: PixelSize(width, height), isOpaque: isOpaque) { bytes, bytesPerRow in
            for y in 0..<height {
                for x in 0..<width {
                    let pixel = color(x, y)
                    let start = y * bytesPerRow + x * 4
                    (bytes[start], bytes[start + 1]) = (pixel.blue, pixel.green)
                    (bytes[start + 2], bytes[start + 3]) = (pixel.red, pixel.alpha)
                }
            }
        }
    }
}
