import EaselFoundation

/// The colors, proportions and transparency of an image in 5 to 25 bytes, in the format of evanw.github.io/thumbhash: a
/// few cosines of luminance, two channels of color and alpha.
package struct ThumbHash: Sendable, Hashable {
    /// The bytes.
    let bytes: Data

    /// Creates a hash from its bytes. Returns `nil` for a length that differs from its header's, or without
    /// proportions.
    init?(_ bytes: Data) {
        guard (5...25).contains(bytes.count), let head = Head(Array(bytes)), bytes.count >= head.byteCount else {
            return nil
        }
        self.bytes = bytes
    }

    /// Creates a hash from base 64, ordinary or for URLs, with or without padding.
    init?(_ text: String) {
        guard text.utf8.count <= 40 else { return nil }
        let letters = text.filter { $0 != "=" }.map { $0 == "-" ? "+" : $0 == "_" ? "/" : String($0) }
        let padding = [String](repeating: "=", count: (4 - letters.count % 4) % 4)
        guard let bytes = Data(base64Encoded: (letters + padding).joined()) else { return nil }
        self.init(bytes)
    }
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
            let (maximumCount, minimumCount) = (hasAlpha ? 5 : 7, second & 7)
            guard minimumCount > 0, !hasAlpha || bytes.count >= 6 else { return nil }
            (across, down) = second >> 15 == 1 ? (maximumCount, minimumCount) : (minimumCount, maximumCount)
            alpha = hasAlpha ? (Double(bytes[5] & 15) / 15, Double(bytes[5] >> 4) / 15) : (1, 0)
        }
    }

    /// Returns the stored cosines: those in the triangle of low frequencies, the mean first.
    package static func waves(_ across: Int, _ down: Int) -> [(across: Int, down: Int)] {
        (0..<down).flatMap { row in
            (0..<across).prefix { $0 * down < across * (down - row) }.map { ($0, row) }
        }
    }
}

extension ThumbHash {
    private typealias Cosine = (across: Int, down: Int, strength: Double)

    /// Returns an image of the hash, 32 pixels on its longer side.
    func image() throws(ImageError) -> DecodedImage {
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
        let columns = CosineTable(count: size.width, waves: max(head.wavesAcross, 5), shift: 0.5)
        let rows = CosineTable(count: size.height, waves: max(head.wavesDown, 5), shift: 0.5)
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

    /// Halves go up. No value is negative.
    package static func rounded(_ value: Double) -> Int { Int((value + 0.5).rounded(.down)) }

    private static func color(luminance: Double, yellow: Double, red: Double, alpha: Double) -> ImageColor {
        let b = luminance - 2.0 / 3 * yellow
        let r = (3 * luminance - b + red) / 2
        // Rounded down, as in the format's own decoder.
        func level(_ value: Double) -> UInt8 { UInt8((255 * value.bounded(0...1)).rounded(.down)) }
        return ImageColor(red: level(r), green: level(r - red), blue: level(b), alpha: level(alpha))
    }
}
