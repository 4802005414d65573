extension PixelBuffer {
    /// The picture scaled to `size`.
    public func resized(
        to size: PixelSize, isCancelled: () -> Bool = { false }
    ) throws(ImageError) -> PixelBuffer {
        if size == self.size { return self }
        return try PixelBuffer(size: size, isOpaque: isOpaque) { (bytes, bytesPerRow) throws(ImageError) in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let p = self[x * width / size.width, y * height / size.height]
                    bytes[y * bytesPerRow + x * 4] = p.blue
                    bytes[y * bytesPerRow + x * 4 + 1] = p.green
                    bytes[y * bytesPerRow + x * 4 + 2] = p.red
                    bytes[y * bytesPerRow + x * 4 + 3] = p.alpha
                }
            }
        }
    }
}
