extension ThumbHash {
    /// The hash of a picture. One of more than 100 pixels a side is scaled down before.
    ///
    /// - Throws: `ImageError.cancelled`.
    public init(of image: DecodedImage, isCancelled: () -> Bool = { false }) throws(ImageError) {
        let channels = HashedChannels(try image.pixels.scaledForHashing(isCancelled))
        let hasAlpha = channels.hasAlpha
        let (width, height) = (Double(channels.size.width), Double(channels.size.height))
        let most = Double(hasAlpha ? 5 : 7)
        let across = max(1, Self.rounded(most * width / max(width, height)))
        let down = max(1, Self.rounded(most * height / max(width, height)))
        let luminance = channels.encoded(\.luminance, max(3, across), max(3, down))
        let yellow = channels.encoded(\.yellow, 3, 3)
        let red = channels.encoded(\.red, 3, 3)
        let isLandscape = width > height

        let first =
            Self.rounded(63 * luminance.mean) | Self.rounded(31.5 + 31.5 * yellow.mean) << 6
            | Self.rounded(31.5 + 31.5 * red.mean) << 12 | Self.rounded(31 * luminance.scale) << 18
            | (hasAlpha ? 1 << 23 : 0)
        let second =
            (isLandscape ? down : across) | Self.rounded(63 * yellow.scale) << 3 | Self.rounded(63 * red.scale) << 9
            | (isLandscape ? 1 << 15 : 0)
        var bytes = [first, first >> 8, first >> 16, second, second >> 8].map { UInt8($0 & 255) }
        var strengths = luminance.strengths + yellow.strengths + red.strengths
        if hasAlpha {
            let alpha = channels.encoded(\.alpha, 5, 5)
            bytes.append(UInt8(Self.rounded(15 * alpha.mean) | Self.rounded(15 * alpha.scale) << 4))
            strengths += alpha.strengths
        }
        let nibbles = strengths.map { UInt8(Self.rounded(15 * $0)) }
        for index in stride(from: 0, to: nibbles.count, by: 2) {
            bytes.append(nibbles[index] | (index + 1 < nibbles.count ? nibbles[index + 1] << 4 : 0))
        }
        self.init(encoded: bytes)
    }

    /// Halves go up. No value is negative.
    private static func rounded(_ value: Double) -> Int { Int((value + 0.5).rounded(.down)) }
}

/// A picture as luminance, yellow against blue, red against green, and alpha.
private struct HashedChannels {
    let size: PixelSize
    private(set) var hasAlpha = false
    private(set) var luminance: [Double] = []
    private(set) var yellow: [Double] = []
    private(set) var red: [Double] = []
    private(set) var alpha: [Double] = []

    init(_ pixels: PixelBuffer) {
        size = pixels.size
        let colors = (0..<size.height).flatMap { y in (0..<size.width).map { ImageColor(pixels[$0, y]) } }
        var mean = SIMD4<Double>()
        for color in colors { mean += Self.weighed(color) }
        hasAlpha = mean.w < Double(colors.count)
        let average = mean.w > 0 ? mean / mean.w : mean
        for color in colors {
            // What is translucent lies on the picture's mean colour.
            let weighed = Self.weighed(color)
            let mixed = average * (1 - weighed.w) + weighed
            luminance.append((mixed.x + mixed.y + mixed.z) / 3)
            yellow.append((mixed.x + mixed.y) / 2 - mixed.z)
            red.append(mixed.x - mixed.y)
            alpha.append(weighed.w)
        }
    }

    private static func weighed(_ color: ImageColor) -> SIMD4<Double> {
        let alpha = Double(color.alpha) / 255
        return SIMD4(
            alpha / 255 * Double(color.red), alpha / 255 * Double(color.green), alpha / 255 * Double(color.blue), alpha)
    }

    /// The mean, the largest strength of a cosine, and all strengths as shares of it from 0 to 1.
    func encoded(
        _ channel: KeyPath<HashedChannels, [Double]>, _ across: Int, _ down: Int
    ) -> (mean: Double, scale: Double, strengths: [Double]) {
        let values = self[keyPath: channel]
        let columns = CosineTable(places: size.width, waves: across, shift: 0.5)
        let rows = CosineTable(places: size.height, waves: down, shift: 0.5)
        let sums = ThumbHash.waves(across, down).map { wave in
            var sum = 0.0
            for y in 0..<size.height {
                let factor = rows[wave.down, y]
                for x in 0..<size.width { sum += values[x + y * size.width] * columns[wave.across, x] * factor }
            }
            return sum / Double(size.width * size.height)
        }
        let strengths = sums.dropFirst()
        let scale = strengths.map(abs).max() ?? 0
        return (sums[0], scale, strengths.map { scale > 0 ? 0.5 + 0.5 / scale * $0 : 0 })
    }
}
