extension PixelBuffer {
    /// Returns the color at a position, not premultiplied, or `nil` outside of the image.
    public func color(x: Int, y: Int) -> ImageColor? {
        guard x >= 0, x < width, y >= 0, y < height else { return nil }
        return ImageColor(self[x, y])
    }

    /// Returns the colors of a rectangle, row by row, or `nil` if a part of it is outside of the image.
    package func colors(x: Int, y: Int, width: Int, height: Int) -> [ImageColor]? {
        guard x >= 0, y >= 0, width > 0, height > 0, width <= self.width - x, height <= self.height - y else {
            return nil
        }
        return (y..<(y + height)).flatMap { row in (x..<(x + width)).map { ImageColor(self[$0, row]) } }
    }

    /// The mean color of all pixels, weighted by alpha, and the mean alpha. Rounded to nearest.
    public var averageColor: ImageColor {
        var sums = SIMD4<UInt64>()
        forEachRow { row in
            // A row's sums fit 32 bits up to 16 million pixels.
            var sum = SIMD4<UInt32>()
            for pixel in row { sum &+= SIMD4<UInt32>(truncatingIfNeeded: PremultipliedPixel.components(pixel)) }
            sums &+= SIMD4<UInt64>(truncatingIfNeeded: sum)
        }
        return Self.mean(of: sums, UInt64(width) * UInt64(height))
    }

    /// The most frequent color: the mean of the fullest of 4,096 color bins, each pixel weighted by its alpha; opaque.
    /// Of equal bins the darkest. `nil` if all pixels are transparent.
    public var dominantColor: ImageColor? {
        var bins = [SIMD4<UInt64>](repeating: SIMD4(), count: 4_096)
        forEachRow { row in
            for pixel in row where pixel >> 24 > 0 {
                let color = PremultipliedPixel.unpremultiply(pixel)
                let bin = (color >> 12 & 0xF00) | (color >> 8 & 0xF0) | (color >> 4 & 0xF)
                bins[Int(bin)] &+= SIMD4<UInt64>(truncatingIfNeeded: PremultipliedPixel.components(pixel))
            }
        }
        var fullest = SIMD4<UInt64>()
        for bin in bins where bin.w > fullest.w { fullest = bin }
        guard fullest.w > 0 else { return nil }
        var color = Self.mean(of: fullest, 1)
        color.alpha = 255
        return color
    }

    private func forEachRow(_ body: (UnsafeBufferPointer<UInt32>) -> Void) {
        withUnsafeBytes { bytes in
            for start in stride(from: 0, to: height * bytesPerRow, by: bytesPerRow) {
                body(
                    UnsafeRawBufferPointer(rebasing: bytes[start..<(start + width * 4)])
                        .assumingMemoryBound(to: UInt32.self))
            }
        }
    }

    private static func mean(of sums: SIMD4<UInt64>, _ count: UInt64) -> ImageColor {
        guard sums.w > 0 else { return .clear }
        func level(_ sum: UInt64) -> UInt8 { UInt8(min(255, (sum * 255 + sums.w / 2) / sums.w)) }
        return ImageColor(
            red: level(sums.z), green: level(sums.y), blue: level(sums.x),
            alpha: UInt8(min(255, (sums.w + count / 2) / count)))
    }
}
