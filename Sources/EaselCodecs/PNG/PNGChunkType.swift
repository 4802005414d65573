/// The four letters of a chunk's name, the first one highest.
struct PNGChunkType: RawRepresentable, Hashable {
    var rawValue: Int

    static let imageHeader = PNGChunkType(rawValue: 0x4948_4452)  // IHDR
    static let palette = PNGChunkType(rawValue: 0x504C_5445)  // PLTE
    static let imageData = PNGChunkType(rawValue: 0x4944_4154)  // IDAT
    static let end = PNGChunkType(rawValue: 0x4945_4E44)  // IEND
    static let transparency = PNGChunkType(rawValue: 0x7452_4E53)  // tRNS
    static let profile = PNGChunkType(rawValue: 0x6943_4350)  // iCCP
    static let codePoints = PNGChunkType(rawValue: 0x6349_4350)  // cICP
    static let standardRGB = PNGChunkType(rawValue: 0x7352_4742)  // sRGB
    static let gamma = PNGChunkType(rawValue: 0x6741_4D41)  // gAMA
    static let chromaticities = PNGChunkType(rawValue: 0x6348_524D)  // cHRM
    static let exif = PNGChunkType(rawValue: 0x6558_4966)  // eXIf
    static let internationalText = PNGChunkType(rawValue: 0x6954_5874)  // iTXt
    static let animationControl = PNGChunkType(rawValue: 0x6163_544C)  // acTL
    static let frameControl = PNGChunkType(rawValue: 0x6663_544C)  // fcTL
    static let frameData = PNGChunkType(rawValue: 0x6664_4154)  // fdAT

    /// Whether a decoder that does not know this chunk must refuse the file: its first letter is a capital.
    var isCritical: Bool { rawValue >> 24 & 0x20 == 0 }
}

/// Where a chunk lies in its file. Both ranges are inside the file.
struct PNGChunk {
    var type: PNGChunkType
    /// The chunk's data.
    var data: Range<Int>
    /// What its checksum covers: the name and the data. The checksum follows.
    var checked: Range<Int> { (data.lowerBound - 4)..<data.upperBound }
}
