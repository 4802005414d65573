import EaselCore

extension PixelBuffer {
    /// Creates an image with these rows of pixels, all of the same length.
    static func rows(_ rows: [[Pixel]]) throws(ImageError) -> PixelBuffer {
        try PixelBuffer(size: PixelSize(rows[0].count, rows.count), isOpaque: false) { bytes, bytesPerRow in
            for (y, row) in rows.enumerated() {
                for (x, pixel) in row.enumerated() {
                    bytes.storeBytes(of: pixel, toByteOffset: y * bytesPerRow + x * 4, as: Pixel.self)
                }
            }
        }
    }
}

extension Pixel {
    static let pureRed = Pixel(blue: 0, green: 0, red: 255, alpha: 255)
    static let pureGreen = Pixel(blue: 0, green: 255, red: 0, alpha: 255)
    static let pureBlue = Pixel(blue: 255, green: 0, red: 0, alpha: 255)
    static let clear = Pixel(blue: 0, green: 0, red: 0, alpha: 0)
    /// White, half transparent, premultiplied.
    static let translucentGray = Pixel(blue: 128, green: 128, red: 128, alpha: 128)
}
