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
