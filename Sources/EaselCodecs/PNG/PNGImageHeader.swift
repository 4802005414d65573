import EaselCore

/// The IHDR chunk, which describes the pixel layout.
struct PNGImageHeader {
    enum ColorType: Int {
        case gray = 0
        case rgb = 2
        case palette = 3
        case grayAlpha = 4
        case rgba = 6

        var channelCount: Int {
            switch self {
            case .gray, .palette: 1
            case .grayAlpha: 2
            case .rgb: 3
            case .rgba: 4
            }
        }

        /// Whether red, green and blue are always equal.
        var isGray: Bool { self == .gray || self == .grayAlpha }

        /// Returns whether the combination is valid (PNG 11.2.1, table 12).
        func allows(bitDepth: Int) -> Bool {
            switch self {
            case .gray: [1, 2, 4, 8, 16].contains(bitDepth)
            case .palette: [1, 2, 4, 8].contains(bitDepth)
            case .rgb, .grayAlpha, .rgba: bitDepth == 8 || bitDepth == 16
            }
        }
    }

    var size: PixelSize
    var bitDepth: Int
    var colorType: ColorType
    var isInterlaced: Bool

    /// The bits of a pixel, 1 to 64.
    var bitsPerPixel: Int { colorType.channelCount * bitDepth }

    /// The distance in bytes to the pixel that a filter predicts from. A pixel below one byte counts as one (PNG 9.2).
    var filterDistance: Int { max(1, bitsPerPixel / 8) }

    /// Returns the byte count of a row of `width` pixels, without its filter byte.
    func rowByteCount(width: Int) -> Int { (width * bitsPerPixel + 7) / 8 }

    /// - Throws: `ImageError.badData` for invalid values.
    init(_ bytes: Span<UInt8>) throws(ImageError) {
        guard bytes.count == 13, let width = bytes.bigEndian32(at: 0), let height = bytes.bigEndian32(at: 4),
            width <= Int32.max, height <= Int32.max
        else { throw .badData("The PNG header is invalid.") }
        guard let colorType = ColorType(rawValue: Int(bytes[9])), colorType.allows(bitDepth: Int(bytes[8])),
            bytes[10] == 0, bytes[11] == 0, bytes[12] <= 1
        else { throw .badData("The PNG header is invalid.") }
        size = PixelSize(width, height)
        bitDepth = Int(bytes[8])
        self.colorType = colorType
        isInterlaced = bytes[12] == 1
    }
}

/// The color chunks of a PNG.
struct PNGColors {
    /// The ranges of the cICP, iCCP, sRGB, gAMA and cHRM chunks.
    private(set) var chunks: [PNGChunkType: Range<Int>] = [:]

    /// Records the first chunk of each type that affects colors.
    mutating func record(_ chunk: PNGChunk) {
        guard [.codePoints, .profile, .standardRGB, .gamma, .chromaticities].contains(chunk.type) else { return }
        if chunks[chunk.type] == nil { chunks[chunk.type] = chunk.data }
    }

    /// Returns the colors of the valid chunk with the highest precedence (PNG third edition, 4.3): cICP, iCCP, sRGB,
    /// then cHRM with gAMA.
    ///
    /// gAMA is ignored without cHRM, as in browsers, since it is usually wrong. All of PngSuite then matches libpng.
    func description(in file: Span<UInt8>, isGray: Bool) -> ColorDescription {
        if let points = codePoints(in: file) { return .codePoints(points) }
        if let profile = profile(in: file).flatMap({ ICCProfile($0, for: isGray ? .gray : .rgb) }) {
            return .profile(profile)
        }
        if chunks[.standardRGB] != nil { return .sRGB }
        guard let gamma = number(.gamma, 0, in: file), gamma > 0, let chromaticities = chromaticities(in: file) else {
            return .sRGB
        }
        return .power(chromaticities, exponent: 1 / gamma)
    }

    /// Returns the profile; `nil` if it is absent, damaged or too large.
    func profile(in file: Span<UInt8>) -> [UInt8]? {
        guard let chunk = chunks[.profile], let end = nameEnd(chunk, in: file) else { return nil }
        // The name is followed by a zero and the compression method.
        return PNGInflate.profile(file.extracting((end + 2)..<chunk.upperBound), limit: ICCProfile.largestByteCount)
    }

    /// Returns the name in the profile, or else that in the chunk.
    func profileName(in file: Span<UInt8>) -> String? {
        guard let chunk = chunks[.profile], let end = nameEnd(chunk, in: file) else { return nil }
        if let name = profile(in: file).flatMap({ ICCProfileName.read(from: $0.span) }) { return name }
        let name = String(decoding: (chunk.lowerBound..<end).map { file[$0] }, as: UTF8.self)
        return name.isEmpty ? nil : name
    }

    private func nameEnd(_ chunk: Range<Int>, in file: Span<UInt8>) -> Int? {
        guard let end = chunk.prefix(80).first(where: { file[$0] == 0 }), end + 2 <= chunk.upperBound else {
            return nil
        }
        return end
    }

    /// Returns the cICP code points. PNG allows only full-range RGB, and unspecified primaries carry no information.
    private func codePoints(in file: Span<UInt8>) -> CodePoints? {
        guard let chunk = chunks[.codePoints], chunk.count == 4, file[chunk.lowerBound + 2] == 0,
            file[chunk.lowerBound + 3] == 1
        else { return nil }
        let points = CodePoints(primaries: Int(file[chunk.lowerBound]), transfer: Int(file[chunk.lowerBound + 1]))
        return points.primaries == 2 || points.transfer == 2 ? nil : points
    }

    private func chromaticities(in file: Span<UInt8>) -> Chromaticities? {
        let numbers = (0..<8).compactMap { number(.chromaticities, $0, in: file) }
        guard numbers.count == 8 else { return nil }
        func point(_ index: Int) -> Chromaticities.Point { .init(numbers[index * 2], numbers[index * 2 + 1]) }
        let chromaticities = Chromaticities(white: point(0), red: point(1), green: point(2), blue: point(3))
        return chromaticities.isValid ? chromaticities : nil
    }

    /// Returns a number of gAMA or cHRM, which are stored in units of 1/100,000.
    private func number(_ type: PNGChunkType, _ index: Int, in file: Span<UInt8>) -> Double? {
        guard let chunk = chunks[type], index * 4 + 4 <= chunk.count else { return nil }
        return file.bigEndian32(at: chunk.lowerBound + index * 4).map { Double($0) / 100_000 }
    }
}
