#if Server
import EaselCore
import EaselFoundation

extension PixelBuffer {
    /// Returns the bytes of the ThumbHash of the image.
    func thumbHash(isCancelled: () -> Bool = { false }) throws(ImageError) -> Data {
        // The format allows at most 100 pixels a side.
        let box = TargetSize.pixels(width: 100, height: 100)
        let pixels = try resized(to: box.size(for: size), isCancelled: isCancelled)
        return Data(ThumbHash.encode(pixels))
    }
}

extension ThumbHash {
    /// A channel as its mean, its other cosines from 0 to 1, and the strongest one.
    private struct Channel {
        let mean: Double
        let cosines: [Double]
        let scale: Double

        /// - Parameters:
        ///   - across: the cosines across that the format stores.
        ///   - down: the cosines down.
        init(_ values: [Double], _ size: PixelSize, _ across: Int, _ down: Int) {
            let columns = CosineTable(count: size.width, waves: across, shift: 0.5)
            let rows = CosineTable(count: size.height, waves: down, shift: 0.5)
            let area = Double(size.width * size.height)
            let factors = ThumbHash.waves(across, down).map { wave in
                var sum = 0.0
                for y in 0..<size.height {
                    var row = 0.0
                    for x in 0..<size.width { row += values[y * size.width + x] * columns[wave.across, x] }
                    sum += row * rows[wave.down, y]
                }
                return sum / area
            }
            let strongest = factors.dropFirst().reduce(0) { max($0, abs($1)) }
            mean = factors[0]
            scale = strongest
            cosines = factors.dropFirst().map { strongest > 0 ? 0.5 + 0.5 / strongest * $0 : $0 }
        }
    }

    fileprivate static func encode(_ pixels: PixelBuffer) -> [UInt8] {
        let size = pixels.size
        let colors = straightColors(pixels)
        let opacity = colors.reduce(0) { $0 + $1.w }
        let hasAlpha = opacity < Double(colors.count)
        var mean = colors.reduce(SIMD4<Double>()) { $0 + $1 * $1.w }
        if opacity > 0 { mean /= opacity }
        // Transparent pixels get the mean color.
        let filled = colors.map { mean * (1 - $0.w) + $0 * $0.w }
        let longest = Double(max(size.width, size.height))
        func count(_ side: Int) -> Int { max(1, rounded(Double(hasAlpha ? 5 : 7) * Double(side) / longest)) }
        let (across, down) = (count(size.width), count(size.height))
        let luminance = Channel(filled.map { ($0.x + $0.y + $0.z) / 3 }, size, max(3, across), max(3, down))
        let yellow = Channel(filled.map { ($0.x + $0.y) / 2 - $0.z }, size, 3, 3)
        let red = Channel(filled.map { $0.x - $0.y }, size, 3, 3)
        let alpha = hasAlpha ? Channel(colors.map(\.w), size, 5, 5) : nil

        let isWide = size.width > size.height
        let first =
            rounded(63 * luminance.mean) | rounded(31.5 + 31.5 * yellow.mean) << 6
            | rounded(31.5 + 31.5 * red.mean) << 12 | rounded(31 * luminance.scale) << 18 | (hasAlpha ? 1 << 23 : 0)
        let second =
            (isWide ? down : across) | rounded(63 * yellow.scale) << 3 | rounded(63 * red.scale) << 9
            | (isWide ? 1 << 15 : 0)
        var bytes = [first, first >> 8, first >> 16, second, second >> 8].map { UInt8(truncatingIfNeeded: $0) }
        if let alpha {
            bytes.append(UInt8(truncatingIfNeeded: rounded(15 * alpha.mean) | rounded(15 * alpha.scale) << 4))
        }
        let cosines = [luminance, yellow, red].flatMap(\.cosines) + (alpha?.cosines ?? [])
        for (index, cosine) in cosines.enumerated() {
            let nibble = UInt8(truncatingIfNeeded: rounded(15 * cosine))
            if index % 2 == 0 { bytes.append(nibble) } else { bytes[bytes.count - 1] |= nibble << 4 }
        }
        return bytes
    }

    /// Returns red, green, blue and alpha from 0 to 1, not premultiplied.
    private static func straightColors(_ pixels: PixelBuffer) -> [SIMD4<Double>] {
        (0..<pixels.height).flatMap { y in
            (0..<pixels.width).map { x in
                let color = ImageColor(pixels[x, y])
                return SIMD4(Double(color.red), Double(color.green), Double(color.blue), Double(color.alpha)) / 255
            }
        }
    }
}
#endif
