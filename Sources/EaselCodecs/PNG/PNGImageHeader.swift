import EaselCore

/// The IHDR chunk: how the pixels are stored.
struct PNGImageHeader {
    /// What the samples of a pixel mean.
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

        /// Whether red, green and blue are always the same.
        var isGray: Bool { self == .gray || self == .grayAlpha }

        /// PNG 11.2.1, table 12.
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

    /// Bits a pixel, 1 to 64.
    var bitsPerPixel: Int { colorType.channelCount * bitDepth }

    /// The distance to the byte that a filter predicts from: PNG 9.2 counts a pixel of less than a byte as one.
    var filterDistance: Int { max(1, bitsPerPixel / 8) }

    /// Bytes of a row of `width` pixels, without its filter byte.
    func rowByteCount(width: Int) -> Int { (width * bitsPerPixel + 7) / 8 }

    /// - Throws: `ImageError.badData` for values that PNG does not have.
    init(_ bytes: Span<UInt8>) throws(ImageError) {
        guard bytes.count == 13, let width = bytes.bigEndian32(at: 0), let height = bytes.bigEndian32(at: 4),
            width <= Int32.max, height <= Int32.max
        else { throw .badData("The PNG's header chunk is malformed.") }
        guard let colorType = ColorType(rawValue: Int(bytes[9])), colorType.allows(bitDepth: Int(bytes[8])),
            bytes[10] == 0, bytes[11] == 0, bytes[12] <= 1
        else { throw .badData("The PNG's header names a colour type, depth or method that PNG does not have.") }
        size = PixelSize(width, height)
        bitDepth = Int(bytes[8])
        self.colorType = colorType
        isInterlaced = bytes[12] == 1
    }
}

/// What the chunks of a PNG say of its colors.
struct PNGColors {
    /// cICP, iCCP and sRGB, gAMA and cHRM: where they lie in the file.
    private(set) var chunks: [PNGChunkType: Range<Int>] = [:]

    /// Remembers the first of each of the chunks that count.
    mutating func take(_ chunk: PNGChunk) {
        guard [.codePoints, .profile, .standardRGB, .gamma, .chromaticities].contains(chunk.type) else { return }
        if chunks[chunk.type] == nil { chunks[chunk.type] = chunk.data }
    }

    /// The chunk that counts most and makes sense (PNG third edition, 4.3): cICP, iCCP, sRGB, and then cHRM with gAMA.
    ///
    /// gAMA alone is not applied, as in browsers: it says how bright, but not of what, and is wrong more often than not.
    /// So all of PngSuite's files look as libpng gives them.
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

    /// The profile's bytes; `nil` where there is none, or it is damaged or too large.
    func profile(in file: Span<UInt8>) -> [UInt8]? {
        guard let chunk = chunks[.profile], let end = nameEnd(chunk, in: file) else { return nil }
        // A zero and the compression method come after the name.
        return PNGInflate.profile(
            file.extracting((end + 2)..<chunk.upperBound), limit: ICCProfile.largestByteCount)
    }

    /// The name in the profile; where it has none, the one that the chunk gives it.
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

    /// R, G, B of the full range is all that a PNG can hold, and unspecified primaries say nothing.
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
        return chromaticities.isSound ? chromaticities : nil
    }

    /// The numbers of gAMA and cHRM are in 100,000ths.
    private func number(_ type: PNGChunkType, _ index: Int, in file: Span<UInt8>) -> Double? {
        guard let chunk = chunks[type], index * 4 + 4 <= chunk.count else { return nil }
        return file.bigEndian32(at: chunk.lowerBound + index * 4).map { Double($0) / 100_000 }
    }
}
