extension ThumbHash {
    /// A picture of the hash, 32 pixels on its longer side.
    public func image() throws(ImageError) -> DecodedImage {
        let bytes = Array(bytes)
        guard let head = Head(bytes) else { throw .badData("The ThumbHash is damaged.") }
        let ratio = head.aspectRatio
        let size =
            ratio > 1 ? PixelSize(32, Self.rounded(32 / ratio)) : PixelSize(Self.rounded(32 * ratio), 32)
        var reader = NibbleReader(bytes: bytes, start: head.start)
        let luminance = reader.channel(head.wavesAcross, head.wavesDown, head.luminance.scale)
        // Colour was lessened when it was written; this brings some of it back.
        let yellow = reader.channel(3, 3, head.yellow.scale * 1.25)
        let red = reader.channel(3, 3, head.red.scale * 1.25)
        let alpha = head.hasAlpha ? reader.channel(5, 5, head.alpha.scale) : []
        let columns = CosineTable(places: size.width, waves: max(head.wavesAcross, 5), shift: 0.5)
        let rows = CosineTable(places: size.height, waves: max(head.wavesDown, 5), shift: 0.5)
        func sum(_ channel: [Cosine], _ mean: Double, _ x: Int, _ y: Int) -> Double {
            channel.reduce(mean) { $0 + $1.strength * columns[$1.across, x] * rows[$1.down, y] * 2 }
        }
        let pixels = try PixelBuffer.rows(of: size, isOpaque: !head.hasAlpha, isCancelled: { false }) { y, target in
            for x in 0..<size.width {
                let light = sum(luminance, head.luminance.mean, x, y)
                let difference = sum(yellow, head.yellow.mean, x, y)
                let balance = sum(red, head.red.mean, x, y)
                let b = light - 2.0 / 3 * difference
                let r = (3 * light - b + balance) / 2
                target[x] =
                    ImageColor(
                        red: Self.level(r), green: Self.level(r - balance), blue: Self.level(b),
                        alpha: Self.level(sum(alpha, head.alpha.mean, x, y))
                    ).word
            }
        }
        return DecodedImage(pixels: pixels, metadata: ImageMetadata(isPlaceholder: true))
    }

    /// The mean colour.
    public var averageColor: ImageColor {
        guard let head = Head(Array(bytes)) else { return .clear }
        let b = head.luminance.mean - 2.0 / 3 * head.yellow.mean
        let r = (3 * head.luminance.mean - b + head.red.mean) / 2
        return ImageColor(
            red: Self.level(r), green: Self.level(r - head.red.mean), blue: Self.level(b),
            alpha: Self.level(head.alpha.mean))
    }

    private static func rounded(_ length: Double) -> Int { max(1, Int((length + 0.5).rounded(.down))) }

    /// Cut off, not rounded, as the format's own decoder does.
    private static func level(_ value: Double) -> UInt8 { UInt8((255 * value.bounded(0...1)).rounded(.down)) }
}

/// One cosine of a channel.
private struct Cosine {
    let across: Int
    let down: Int
    let strength: Double
}

/// Reads the strengths, two a byte.
private struct NibbleReader {
    let bytes: [UInt8]
    let start: Int
    private var index = 0

    init(bytes: [UInt8], start: Int) {
        (self.bytes, self.start) = (bytes, start)
    }

    mutating func channel(_ across: Int, _ down: Int, _ scale: Double) -> [Cosine] {
        ThumbHash.waves(across, down).dropFirst().map { wave in
            let byte = bytes[start + index / 2]
            let nibble = index % 2 == 0 ? byte & 15 : byte >> 4
            index += 1
            return Cosine(across: wave.across, down: wave.down, strength: (Double(nibble) / 7.5 - 1) * scale)
        }
    }
}
