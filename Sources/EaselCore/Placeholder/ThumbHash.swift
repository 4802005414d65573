public import EaselFoundation

/// The colors, proportions and transparency of an image in 5 to 25 bytes, in the format of evanw.github.io/thumbhash: a few
/// cosines of luminance, two channels of color and alpha.
public struct ThumbHash: Sendable, Hashable {
    /// The bytes.
    public let bytes: Data

    /// A hash from its bytes, or `nil` for a length that differs from its header's, or without proportions.
    public init?(_ bytes: Data) {
        guard (5...25).contains(bytes.count), let head = Head(Array(bytes)), bytes.count >= head.byteCount else {
            return nil
        }
        self.bytes = bytes
    }

    /// A hash in base 64, ordinary or for URLs, with or without padding.
    public init?(_ text: String) {
        guard text.utf8.count <= 40 else { return nil }
        let letters = text.filter { $0 != "=" }.map { $0 == "-" ? "+" : $0 == "_" ? "/" : String($0) }
        let padding = [String](repeating: "=", count: (4 - letters.count % 4) % 4)
        guard let bytes = Data(base64Encoded: (letters + padding).joined()) else { return nil }
        self.init(bytes)
    }

    /// The hash in base 64.
    public var text: String { bytes.base64EncodedString() }

    /// Width over height, roughly.
    public var aspectRatio: Double { Head(Array(bytes))?.aspectRatio ?? 1 }
}

extension ThumbHash {
    struct Head {
        let luminance: (mean: Double, scale: Double)
        let yellow: (mean: Double, scale: Double)
        let red: (mean: Double, scale: Double)
        let alpha: (mean: Double, scale: Double)
        let hasAlpha: Bool
        /// Stored cosines of luminance across and down: their proportions are the image's.
        let across: Int
        let down: Int

        /// At least three cosines of luminance are stored.
        var wavesAcross: Int { max(3, across) }
        var wavesDown: Int { max(3, down) }
        var aspectRatio: Double { Double(across) / Double(down) }

        var start: Int { hasAlpha ? 6 : 5 }

        var byteCount: Int {
            let cosines =
                ThumbHash.waves(wavesAcross, wavesDown).count - 1 + 2 * 5 + (hasAlpha ? 14 : 0)
            return start + (cosines + 1) / 2
        }

        init?(_ bytes: [UInt8]) {
            guard bytes.count >= 5 else { return nil }
            let first = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
            let second = Int(bytes[3]) | Int(bytes[4]) << 8
            hasAlpha = first >> 23 == 1
            luminance = (Double(first & 63) / 63, Double(first >> 18 & 31) / 31)
            yellow = (Double(first >> 6 & 63) / 31.5 - 1, Double(second >> 3 & 63) / 63)
            red = (Double(first >> 12 & 63) / 31.5 - 1, Double(second >> 9 & 63) / 63)
            let (most, least) = (hasAlpha ? 5 : 7, second & 7)
            guard least > 0, !hasAlpha || bytes.count >= 6 else { return nil }
            (across, down) = second >> 15 == 1 ? (most, least) : (least, most)
            alpha = hasAlpha ? (Double(bytes[5] & 15) / 15, Double(bytes[5] >> 4) / 15) : (1, 0)
        }
    }

    /// Returns the stored cosines: those in the triangle of low frequencies, the mean first.
    static func waves(_ across: Int, _ down: Int) -> [(across: Int, down: Int)] {
        (0..<down).flatMap { row in
            (0..<across).prefix { $0 * down < across * (down - row) }.map { ($0, row) }
        }
    }
}

extension ThumbHash {
    private typealias Cosine = (across: Int, down: Int, strength: Double)

    /// Returns an image of the hash, 32 pixels on its longer side.
    public func image() throws(ImageError) -> DecodedImage {
        let bytes = Array(bytes)
        guard let head = Head(bytes) else { throw .badData("The ThumbHash is damaged.") }
        let ratio = head.aspectRatio
        let size =
            ratio > 1
            ? PixelSize(32, max(1, Self.rounded(32 / ratio))) : PixelSize(max(1, Self.rounded(32 * ratio)), 32)
        var index = 0
        func channel(_ across: Int, _ down: Int, _ scale: Double) -> [Cosine] {
            Self.waves(across, down).dropFirst().map { wave in
                let byte = bytes[head.start + index / 2]
                let nibble = index % 2 == 0 ? byte & 15 : byte >> 4
                index += 1
                return (wave.across, wave.down, (Double(nibble) / 7.5 - 1) * scale)
            }
        }
        let luminance = channel(head.wavesAcross, head.wavesDown, head.luminance.scale)
        // Restores some of the color that the encoder reduces.
        let yellow = channel(3, 3, head.yellow.scale * 1.25)
        let red = channel(3, 3, head.red.scale * 1.25)
        let alpha = head.hasAlpha ? channel(5, 5, head.alpha.scale) : []
        let columns = CosineTable(places: size.width, waves: max(head.wavesAcross, 5), shift: 0.5)
        let rows = CosineTable(places: size.height, waves: max(head.wavesDown, 5), shift: 0.5)
        func sum(_ channel: [Cosine], _ mean: Double, _ x: Int, _ y: Int) -> Double {
            channel.reduce(mean) { $0 + $1.strength * columns[$1.across, x] * rows[$1.down, y] * 2 }
        }
        let pixels = try PixelBuffer.drawRows(of: size, isOpaque: !head.hasAlpha) { y, target in
            for x in 0..<size.width {
                target[x] =
                    Self.color(
                        luminance: sum(luminance, head.luminance.mean, x, y),
                        yellow: sum(yellow, head.yellow.mean, x, y), red: sum(red, head.red.mean, x, y),
                        alpha: sum(alpha, head.alpha.mean, x, y)
                    ).word
            }
        }
        return DecodedImage(pixels: pixels, metadata: ImageMetadata(isPlaceholder: true))
    }

    /// The mean color.
    public var averageColor: ImageColor {
        guard let head = Head(Array(bytes)) else { return .clear }
        return Self.color(
            luminance: head.luminance.mean, yellow: head.yellow.mean, red: head.red.mean, alpha: head.alpha.mean)
    }

    private static func color(luminance: Double, yellow: Double, red: Double, alpha: Double) -> ImageColor {
        let b = luminance - 2.0 / 3 * yellow
        let r = (3 * luminance - b + red) / 2
        // Rounded down, as in the format's own decoder.
        func level(_ value: Double) -> UInt8 { UInt8((255 * value.bounded(0...1)).rounded(.down)) }
        return ImageColor(red: level(r), green: level(r - red), blue: level(b), alpha: level(alpha))
    }
}

extension ThumbHash {
    /// The hash of an image. One of more than 100 pixels a side is scaled down first.
    ///
    /// - Throws: `ImageError.cancelled`.
    public init(of image: DecodedImage, isCancelled: () -> Bool = { false }) throws(ImageError) {
        let channels = HashedChannels(try image.pixels.scaleForHashing(isCancelled))
        let hasAlpha = channels.hasAlpha
        let (width, height) = (Double(channels.size.width), Double(channels.size.height))
        let most = Double(hasAlpha ? 5 : 7)
        let across = max(1, Self.rounded(most * width / max(width, height)))
        let down = max(1, Self.rounded(most * height / max(width, height)))
        let luminance = channels.encode(channels.luminance, max(3, across), max(3, down))
        let yellow = channels.encode(channels.yellow, 3, 3)
        let red = channels.encode(channels.red, 3, 3)
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
            let alpha = channels.encode(channels.alpha, 5, 5)
            bytes.append(UInt8(Self.rounded(15 * alpha.mean) | Self.rounded(15 * alpha.scale) << 4))
            strengths += alpha.strengths
        }
        let nibbles = strengths.map { UInt8(Self.rounded(15 * $0)) }
        for index in stride(from: 0, to: nibbles.count, by: 2) {
            bytes.append(nibbles[index] | (index + 1 < nibbles.count ? nibbles[index + 1] << 4 : 0))
        }
        self.bytes = Data(bytes)
    }

    /// Halves go up. No value is negative.
    private static func rounded(_ value: Double) -> Int { Int((value + 0.5).rounded(.down)) }
}

/// The channels of an image: luminance, yellow against blue, red against green, and alpha.
private struct HashedChannels {
    let size: PixelSize
    let hasAlpha: Bool
    let luminance: [Double]
    let yellow: [Double]
    let red: [Double]
    let alpha: [Double]

    init(_ pixels: PixelBuffer) {
        size = pixels.size
        let colors = (0..<pixels.height).flatMap { y in
            (0..<pixels.width).map { x in
                let color = ImageColor(pixels[x, y])
                let alpha = Double(color.alpha) / 255
                let factor = alpha / 255
                return SIMD4(
                    Double(color.red) * factor, Double(color.green) * factor, Double(color.blue) * factor, alpha)
            }
        }
        let sum = colors.reduce(SIMD4(), +)
        hasAlpha = sum.w < Double(colors.count)
        let average = sum.w > 0 ? sum / sum.w : sum
        // Translucent pixels are composed with the mean color.
        let mixed = colors.map { average * (1 - $0.w) + $0 }
        luminance = mixed.map { ($0.x + $0.y + $0.z) / 3 }
        yellow = mixed.map { ($0.x + $0.y) / 2 - $0.z }
        red = mixed.map { $0.x - $0.y }
        alpha = colors.map(\.w)
    }

    /// Returns the mean, the largest strength of a cosine, and all strengths as shares of it from 0 to 1.
    func encode(_ values: [Double], _ across: Int, _ down: Int) -> (mean: Double, scale: Double, strengths: [Double]) {
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
