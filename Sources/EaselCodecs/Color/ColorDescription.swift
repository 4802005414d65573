import EaselCore

/// What a file says of its colours. A file may say several things: each coder picks the one that counts by the rules of
/// its format, and hands it to `DecodedImage.init(stored:header:options:colors:isPartial:)`, which converts.
enum ColorDescription: Sendable, Hashable {
    /// sRGB, or nothing at all, which everyone shows as sRGB.
    case sRGB
    /// An ICC profile.
    case profile(ICCProfile)
    /// Code points of ITU-T H.273: PNG's cICP, the `nclx` of AVIF and HEIC, the enumerated spaces of JPEG XL.
    case codePoints(CodePoints)
    /// Primaries and one exponent for all of them: PNG's cHRM and gAMA, EXIF's Adobe RGB.
    case power(Chromaticities, exponent: Double)
}

/// Coding-independent code points (ITU-T H.273). The numbers are kept as they are: unknown ones are shown as sRGB.
struct CodePoints: Sendable, Hashable {
    /// ColourPrimaries: 1 BT.709, 9 BT.2020, 12 Display P3, 2 unspecified.
    var primaries: Int
    /// TransferCharacteristics: 13 sRGB, 8 linear, 16 PQ, 18 HLG, 2 unspecified.
    var transfer: Int

    /// Whether brightness goes beyond SDR's white: it is tone mapped.
    var isHDR: Bool { transfer == 16 || transfer == 18 }
}

/// Where white and the three primaries lie in CIE 1931 x, y.
struct Chromaticities: Sendable, Hashable {
    struct Point: Sendable, Hashable {
        var x: Double
        var y: Double
    }

    var white: Point
    var red: Point
    var green: Point
    var blue: Point
}
