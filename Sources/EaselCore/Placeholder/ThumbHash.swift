public import EaselFoundation

/// A picture's colours, its proportions and its transparency in 5 to 25 bytes. The format is that of
/// evanw.github.io/thumbhash: a few cosines of luminance, two of colour and one of alpha.
public struct ThumbHash: Sendable, Hashable {
    /// The bytes.
    public let bytes: Data

    /// A hash from elsewhere; `nil` for what is none: too short for what its head tells, longer than any, or without
    /// proportions.
    public init?(_ bytes: Data) {
        let bytes = Array(bytes)
        guard (5...25).contains(bytes.count), let head = Head(bytes) else { return nil }
        guard bytes.count >= head.byteCount else { return nil }
        self.bytes = Data(bytes)
    }

    /// A hash in base 64, ordinary or for URLs, with or without padding.
    public init?(_ text: String) {
        guard text.utf8.count <= 40 else { return nil }
        let letters = text.utf8.filter { $0 != 0x3D }.map { letter -> UInt8 in
            switch letter {
            case 0x2D: 0x2B
            case 0x5F: 0x2F
            default: letter
            }
        }
        let padding = [UInt8](repeating: 0x3D, count: (4 - letters.count % 4) % 4)
        guard let bytes = Data(base64Encoded: Data(letters + padding)) else { return nil }
        self.init(bytes)
    }

    init(encoded bytes: [UInt8]) {
        self.bytes = Data(bytes)
    }

    /// The hash in base 64.
    public var text: String { bytes.base64EncodedString() }

    /// Width over height, roughly.
    public var aspectRatio: Double {
        Head(Array(bytes))?.aspectRatio ?? 1
    }
}

extension ThumbHash {
    /// The fixed part of a hash.
    struct Head {
        let luminance: (mean: Double, scale: Double)
        let yellow: (mean: Double, scale: Double)
        let red: (mean: Double, scale: Double)
        let alpha: (mean: Double, scale: Double)
        let hasAlpha: Bool
        /// Cosines of luminance across and down as written: their proportions are the picture's.
        let across: Int
        let down: Int

        /// At least three cosines of luminance are there whatever the proportions.
        var wavesAcross: Int { max(3, across) }
        var wavesDown: Int { max(3, down) }
        var aspectRatio: Double { Double(across) / Double(down) }

        /// Bytes before the cosines.
        var start: Int { hasAlpha ? 6 : 5 }

        /// Bytes in all.
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

    /// The cosines that are kept of so many across and down: those in the triangle at the low end, the mean first.
    static func waves(_ across: Int, _ down: Int) -> [(across: Int, down: Int)] {
        (0..<down).flatMap { row in
            (0..<across).prefix { $0 * down < across * (down - row) }.map { ($0, row) }
        }
    }
}
