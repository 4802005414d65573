import EaselCore
import EaselFoundation

extension GainMap.Parameters {
    /// The name before binary metadata in an APP2 segment of a JPEG.
    static let isoName: StaticString = "urn:iso:std:iso:ts:21496:-1\0"

    /// Reads binary metadata (ISO 21496-1, annex C). Returns `nil` for metadata of a later version, and if it is damaged
    /// or not usable.
    ///
    /// libultrahdr writes a common denominator for all fractions if it can, which a flag announces.
    init?(iso bytes: Span<UInt8>) {
        guard bytes.bigEndian16(at: 0) == 0, let flags = bytes.byte(at: 4) else { return nil }
        let hasCommonDenominator = flags & 0x08 != 0
        var offset = 5
        func next() -> Int? {
            defer { offset += 4 }
            return bytes.bigEndian32(at: offset)
        }
        let common = hasCommonDenominator ? next() : nil
        func fraction(isSigned: Bool = true) -> Double? {
            guard let numerator = next(), let denominator = hasCommonDenominator ? common : next() else { return nil }
            let value = isSigned ? Int(Int32(truncatingIfNeeded: numerator)) : numerator
            // A denominator of 0 results in a number that is not finite, which is not usable.
            return Double(value) / Double(denominator)
        }
        guard let baseHeadroom = fraction(isSigned: false), let alternateHeadroom = fraction(isSigned: false) else {
            return nil
        }
        self.init(
            maximum: .zero, baseHeadroom: baseHeadroom, alternateHeadroom: alternateHeadroom,
            usesBaseColors: flags & 0x40 != 0)
        for channel in 0..<(flags & 0x80 != 0 ? 3 : 1) {
            guard let minimum = fraction(), let maximum = fraction(), let gamma = fraction(isSigned: false),
                let baseOffset = fraction(), let alternateOffset = fraction()
            else { return nil }
            // A single channel applies to all.
            for index in channel..<3 {
                self.minimum[index] = minimum
                self.maximum[index] = maximum
                self.gamma[index] = gamma
                self.baseOffset[index] = baseOffset
                self.alternateOffset[index] = alternateOffset
            }
        }
        guard isUsable else { return nil }
    }

    /// Creates the parameters of one of Apple's gain maps, after `AppleGainMap.convert`. Returns `nil` without headroom.
    init?(appleHeadroom headroom: Double) {
        guard headroom > 1 else { return nil }
        self.init(
            maximum: SIMD3(repeating: log2(headroom)), baseOffset: .zero, alternateOffset: .zero,
            alternateHeadroom: log2(headroom))
        guard isUsable else { return nil }
    }

    /// Whether all numbers are finite and plausible, so that the formula gives finite light.
    package var isUsable: Bool {
        let limit = 64.0
        func isSmall(_ value: Double) -> Bool { value.magnitude <= limit }
        return (0..<3).allSatisfy {
            isSmall(minimum[$0]) && isSmall(maximum[$0]) && minimum[$0] <= maximum[$0] && gamma[$0] >= 1 / limit
                && isSmall(gamma[$0]) && isSmall(baseOffset[$0]) && isSmall(alternateOffset[$0])
        } && (0...limit).contains(baseHeadroom) && (0...limit).contains(alternateHeadroom)
    }

    /// The peak of the brighter image as a multiple of SDR white.
    var headroom: Double { exp2(max(baseHeadroom, alternateHeadroom)) }

    /// Returns the weight of the gains for a display, from 0 for the base image to 1 for full HDR.
    ///
    /// - Parameter headroom: the peak of the display as a multiple of SDR white; `nil` for one that shows all.
    func weight(for headroom: Double?) -> Double {
        guard alternateHeadroom > baseHeadroom else { return 0 }
        guard let headroom else { return 1 }
        let stops = headroom > 1 ? log2(headroom) : 0
        return min(max((stops - baseHeadroom) / (alternateHeadroom - baseHeadroom), 0), 1)
    }

    /// Returns the factors for light of a channel, by the encoded gain from 0 to 255.
    func factors(channel: Int, weight: Double) -> [Float] {
        (0...255).map { encoded in
            let share = pow(Double(encoded) / 255, 1 / gamma[channel])
            return Float(exp2((minimum[channel] + (maximum[channel] - minimum[channel]) * share) * weight))
        }
    }
}

/// A gain map as Apple's cameras have written it since 2020: linear instead of logarithmic, with the headroom in EXIF.
///
/// Apple documents it in "Applying Apple HDR effect to your photos": hdr = base * (1 + (headroom - 1) * gain), and the
/// gain is encoded with the curve of sRGB or BT.709.
enum AppleGainMap {
    /// The type of the auxiliary image.
    static let type: StaticString = "urn:com:apple:photo:2020:aux:hdrgainmap"

    /// Returns the headroom of an EXIF block, by the tags 33 and 48 of Apple's maker note. Returns `nil` without them.
    static func headroom(exif bytes: Span<UInt8>) -> Double? {
        let path = [EXIF.exifDirectory]
        guard let note = EXIF.entry(EXIF.makerNote, under: path, in: bytes)?.content(in: bytes) else { return nil }
        let maker = bytes.extracting(note)
        guard maker.hasText("Apple iOS\0\0", at: 0), let brightness = fraction(33, in: maker),
            let gain = fraction(48, in: maker)
        else { return nil }
        let stops =
            if brightness < 1 {
                gain <= 0.01 ? -20 * gain + 1.8 : -0.101 * gain + 1.601
            } else {
                gain <= 0.01 ? -70 * gain + 3 : -0.303 * gain + 2.303
            }
        return stops.isFinite ? exp2(max(stops, 0)) : nil
    }

    /// Returns a signed fraction of the maker note: a big-endian directory after its name, version and byte order.
    private static func fraction(_ tag: Int, in note: Span<UInt8>) -> Double? {
        guard note.hasText("MM", at: 12), let count = note.bigEndian16(at: 14) else { return nil }
        let entry = (0..<count).lazy.map { 16 + $0 * 12 }.first { note.bigEndian16(at: $0) == tag }
        guard let entry, note.bigEndian16(at: entry + 2) == 10, let offset = note.bigEndian32(at: entry + 8),
            let numerator = note.bigEndian32(at: offset), let denominator = note.bigEndian32(at: offset + 4)
        else { return nil }
        func signed(_ number: Int) -> Double { Double(Int32(truncatingIfNeeded: number)) }
        let value = signed(numerator) / signed(denominator)
        return value.isFinite ? value : nil
    }

    /// Returns the map encoded logarithmically, from a gain of 1 to `headroom`.
    static func convert(_ pixels: PixelBuffer, headroom: Double) throws(ImageError) -> PixelBuffer {
        let table = (0...255).map { encoded in
            let value = Double(encoded) / 255
            let gain = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            return UInt32((log2(1 + (headroom - 1) * gain) / log2(headroom) * 255).rounded())
        }
        var converted = pixels
        try converted.modify { canvas in
            for y in 0..<canvas.size.height {
                let row = canvas.row(y)
                for x in 0..<canvas.size.width {
                    // One channel, in R, G and B.
                    row[x] = 0xFF00_0000 | table[Int(row[x] >> 8 & 0xFF)] * 0x01_0101
                }
            }
        }
        return converted
    }
}
