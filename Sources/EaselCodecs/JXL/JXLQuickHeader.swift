#if JXL
import EaselCore

/// The header of the common kind of JPEG XL, read from its first bytes (ISO/IEC 18181-1, annex D): a still picture in sRGB,
/// with or without alpha. libjxl, which reads all of them, takes ten times as long to make ready.
enum JXLQuickHeader {
    /// `nil` for any other kind, and for what libjxl should have a look at.
    static func read(_ file: Span<UInt8>) -> ImageHeader? {
        guard let start = codestream(in: file) else { return nil }
        // More than such a header has.
        let bytes = file.extracting(start..<min(file.count, start + 32)).withUnsafeBytes { Array($0) }
        var reader = JXLBitReader(bytes)
        guard let size = size(&reader), size.width <= longestSide, size.height <= longestSide,
            let isDefault = reader.flag()
        else { return nil }
        var header = ImageHeader(format: .jxl, storedSize: size, profileName: "sRGB")
        guard !isDefault else { return header }
        guard let orientation = orientation(&reader), let depth = bitDepth(&reader), reader.flag() != nil,
            let channels = reader.number((0, 0), (0, 1), (4, 2), (12, 1)), channels <= 1
        else { return nil }
        if channels == 1 {
            guard isAlpha(&reader) else { return nil }
            header.hasAlpha = true
        }
        // Whether the colours are libjxl's own.
        guard reader.flag() != nil, isSRGB(&reader) else { return nil }
        header.bitDepth = depth
        if orientation > 4 { header.storedSize = size.transposed }
        return header
    }

    /// Beyond these libjxl says what is allowed.
    private static let longestSide = 1 << 18

    /// Where the codestream begins: at the start, or in the first box that holds some of it, behind the file's type.
    private static func codestream(in file: Span<UInt8>) -> Int? {
        if file.bigEndian16(at: 0) == 0xFF0A { return 2 }
        guard file.bigEndian32(at: 0) == 12, file.holds("JXL ", at: 4), file.bigEndian32(at: 8) == 0x0D0A_870A
        else { return nil }
        for (type, skipped) in [("jxlc" as StaticString, 0), ("jxlp", 4)] {
            if let box = file.firstBox(type, in: 12..<file.count),
                file.bigEndian16(at: box.lowerBound + skipped) == 0xFF0A
            {
                return box.lowerBound + skipped + 2
            }
        }
        return nil
    }

    private static func size(_ reader: inout JXLBitReader) -> PixelSize? {
        guard let isSmall = reader.flag(), let height = side(isSmall, &reader), let ratio = reader.bits(3) else {
            return nil
        }
        let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
        guard ratio > 0 else { return side(isSmall, &reader).map { PixelSize($0, height) } }
        return PixelSize(height * ratios[ratio - 1].0 / ratios[ratio - 1].1, height)
    }

    private static func side(_ isSmall: Bool, _ reader: inout JXLBitReader) -> Int? {
        if isSmall { return reader.bits(5).map { ($0 + 1) * 8 } }
        return reader.number((9, 1), (13, 1), (18, 1), (30, 1))
    }

    /// 1 to 8; `nil` where there are a preview, an animation or another size to be shown at.
    private static func orientation(_ reader: inout JXLBitReader) -> Int? {
        guard let hasMore = reader.flag() else { return nil }
        guard hasMore else { return 1 }
        guard let orientation = reader.bits(3), reader.bits(3) == 0 else { return nil }
        return orientation + 1
    }

    /// Whether an extra channel is alpha without a name.
    private static func isAlpha(_ reader: inout JXLBitReader) -> Bool {
        // All default is alpha of 8 bits, straight.
        guard let isDefault = reader.flag() else { return false }
        if isDefault { return true }
        let hasNoName =
            reader.enumerator() == 0 && bitDepth(&reader) != nil && reader.number((0, 0), (0, 3), (0, 4), (3, 1)) == 0
            && reader.number((0, 0), (4, 0), (5, 16), (10, 48)) == 0
        return hasNoName && reader.flag() != nil
    }

    /// Whether colours are told to be sRGB: RGB, D65, its primaries and its curve, for any rendering intent.
    private static func isSRGB(_ reader: inout JXLBitReader) -> Bool {
        guard let isDefault = reader.flag() else { return false }
        if isDefault { return true }
        let isToldByNumbers = reader.flag() == false
        return isToldByNumbers && reader.enumerator() == 0 && reader.enumerator() == 1 && reader.enumerator() == 1
            && reader.flag() == false && reader.enumerator() == 13 && reader.enumerator() != nil
    }

    private static func bitDepth(_ reader: inout JXLBitReader) -> Int? {
        guard let isFloat = reader.flag() else { return nil }
        guard isFloat else { return reader.number((0, 8), (0, 10), (0, 12), (6, 1)) }
        guard let depth = reader.number((0, 32), (0, 16), (0, 24), (6, 1)), reader.bits(4) != nil else { return nil }
        return depth
    }
}
#endif
