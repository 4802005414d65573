extension PixelBuffer {
    /// Returns the color at a place, not premultiplied, or `nil` outside of the image.
    public func color(x: Int, y: Int) -> ImageColor? {
        guard x >= 0, x < width, y >= 0, y < height else { return nil }
        return ImageColor(self[x, y])
    }

    /// Returns the colors of a rectangle, row by row, or `nil` if a part of it is outside of the image.
    public func colors(x: Int, y: Int, width: Int, height: Int) -> [ImageColor]? {
        guard x >= 0, y >= 0, width > 0, height > 0, width <= self.width - x, height <= self.height - y else {
            return nil
        }
        return (y..<(y + height)).flatMap { row in (x..<(x + width)).map { ImageColor(self[$0, row]) } }
    }

    /// The mean color of all pixels, weighted by alpha, and the mean alpha. Rounded to nearest.
    public var averageColor: ImageColor {
        var sums = SIMD4<UInt64>()
        withRows(()) { rows in
            for y in 0..<height {
                let row = rows[y]
                // A row's sums fit 32 bits up to 16 million pixels.
                var sum = SIMD4<UInt32>()
                for x in 0..<width {
                    sum &+= SIMD4<UInt32>(truncatingIfNeeded: PremultipliedPixel.components(row[x]))
                }
                sums &+= SIMD4<UInt64>(truncatingIfNeeded: sum)
            }
        }
        return Self.mean(of: sums, UInt64(width) * UInt64(height))
    }

    /// The most frequent color: the mean of the fullest of 4,096 color bins, each pixel weighted by its alpha; opaque. Of equal
    /// bins the darkest. `nil` if all pixels are transparent.
    public var dominantColor: ImageColor? {
        var bins = [SIMD4<UInt64>](repeating: SIMD4(), count: 4_096)
        withRows(()) { rows in
            for y in 0..<height {
                let row = rows[y]
                for x in 0..<width where row[x] >> 24 > 0 {
                    let pixel = PremultipliedPixel.straight(row[x])
                    let bin = (pixel >> 12 & 0xF00) | (pixel >> 8 & 0xF0) | (pixel >> 4 & 0xF)
                    bins[Int(bin)] &+= SIMD4<UInt64>(truncatingIfNeeded: PremultipliedPixel.components(row[x]))
                }
            }
        }
        var fullest = SIMD4<UInt64>()
        for bin in bins where bin.w > fullest.w { fullest = bin }
        return fullest.w == 0 ? nil : Self.mean(of: fullest, 1).with(alpha: 255)
    }

    /// The counts of each level of each component, not premultiplied; transparent pixels count for alpha alone.
    public var histogram: ColorHistogram {
        var histogram = ColorHistogram()
        withRows(()) { rows in
            for y in 0..<height {
                let row = rows[y]
                for x in 0..<width { histogram.add(PremultipliedPixel.straight(row[x])) }
            }
        }
        return histogram
    }

    private static func mean(of sums: SIMD4<UInt64>, _ count: UInt64) -> ImageColor {
        guard sums.w > 0 else { return .clear }
        func level(_ sum: UInt64) -> UInt8 { UInt8(min(255, (sum * 255 + sums.w / 2) / sums.w)) }
        return ImageColor(
            red: level(sums.z), green: level(sums.y), blue: level(sums.x),
            alpha: UInt8(min(255, (sums.w + count / 2) / count)))
    }
}

/// The counts of each level of each color component in an image.
public struct ColorHistogram: Sendable, Hashable {
    /// 256 counts of red.
    public private(set) var red = [Int](repeating: 0, count: 256)
    /// 256 counts of green.
    public private(set) var green = [Int](repeating: 0, count: 256)
    /// 256 counts of blue.
    public private(set) var blue = [Int](repeating: 0, count: 256)
    /// 256 counts of alpha.
    public private(set) var alpha = [Int](repeating: 0, count: 256)

    mutating func add(_ pixel: UInt32) {
        alpha[Int(pixel >> 24)] += 1
        guard pixel >> 24 > 0 else { return }
        red[Int(pixel >> 16 & 255)] += 1
        green[Int(pixel >> 8 & 255)] += 1
        blue[Int(pixel & 255)] += 1
    }
}

extension DecodedImage {
    /// Returns the color at a place in pixels; see ``PixelBuffer/color(x:y:)``.
    public func color(x: Int, y: Int) -> ImageColor? { pixels.color(x: x, y: y) }

    /// See ``PixelBuffer/averageColor``.
    public var averageColor: ImageColor { pixels.averageColor }

    /// See ``PixelBuffer/dominantColor``.
    public var dominantColor: ImageColor? { pixels.dominantColor }
}
